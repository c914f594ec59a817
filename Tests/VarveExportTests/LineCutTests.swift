import Testing
import VarveAnalysis
import VarveExport
import VarveMarbles
import VarveTraceScript

@Suite("Tables on narrow terminals")
struct LineCutTests {
  /// The lines of a table of streams at a width.
  private func narrowTable(_ width: Int?) throws -> [String] {
    var script = TraceScript()
    let keys = script.stream("a search field with a long name", line: 12)
    let results = script.stream("results", "flatMap(.latest)", from: [keys], line: 1031)
    let edge = script.subscribe(keys, to: results, at: 0.5)
    for index in 0..<2000 { script.value(keys, "v", at: Double(index)) }
    script.record(.failed, of: results, .null, at: 2001)
    script.end(edge, of: keys, .completed, at: 2002)
    let rendered = try Rendered(script)
    let reader = rendered.reader
    let table = StreamsText(
      time: reader.time, span: TraceSpan(of: reader),
      style: OutputStyle(colours: false, ascii: false, width: width))
    let streams = try StreamCensus(Selection(), in: reader).streams
    return Rendered.written { table.write(streams.map { StreamsText.Row($0) }, to: $0) }
      .split(separator: "\n").map(String.init)
  }

  @Test("a narrow table leaves out columns, but neither the stream nor its place, nor a part of it")
  func narrow() throws {
    for width in [40, 60, 80, 120, 200] {
      let lines = try narrowTable(width)
      #expect(lines.count == 3)
      #expect(lines.allSatisfy { $0.count <= width && !$0.hasSuffix("…") }, "\(lines)")
      #expect(lines[1].hasSuffix("  Shop.swift:12") && lines[2].hasSuffix("  Shop.swift:1031"))
      #expect(lines[1].hasPrefix("a s") && lines[2].hasPrefix("results"))
    }
    let titles = try narrowTable(80)[0]
    #expect(["VALUES", "FAILED", "RATE"].allSatisfy(titles.contains), "\(titles)")
    #expect(!titles.contains("FIRST"))
    #expect(try narrowTable(200) == narrowTable(nil))
  }

  @Test("a name that shortens leaves the place within it to the column of places")
  func placeInName() throws {
    var script = TraceScript()
    let theme = script.stream("property@Theme.swift:14", "property", line: 9)
    let changes = script.stream(
      "property@Theme.swift:14.producer.observe(on: QueueScheduler.main)", "observe(on:)",
      from: [theme], derived: true)
    script.value(changes, "dark", at: 1)
    let rendered = try Rendered(script)
    let census = try StreamCensus(Selection(), in: rendered.reader)
    func lines(_ width: Int) -> [Substring] {
      let table = StreamsText(
        time: rendered.reader.time, span: TraceSpan(of: rendered.reader),
        style: OutputStyle(colours: false, ascii: false, width: width))
      return Rendered.written { table.write(census.streams.map { StreamsText.Row($0) }, to: $0) }
        .split(separator: "\n")
    }
    #expect(try #require(lines(60).last).hasSuffix("  Theme.swift:14"), "\(lines(60))")
    // Where the name is whole, it has the place, and the column is of the stream's own.
    #expect(try #require(lines(200).last).hasPrefix("property@Theme.swift:14.producer.obs"))
    #expect(try !#require(lines(200).last).hasSuffix("14"))
  }

  @Test("streams that nothing else tells apart have their IDs, and others do not")
  func twins() throws {
    for (line, hasIDs) in [(nil, true), (20, false)] as [(UInt32?, Bool)] {
      var script = TraceScript()
      for place in [12, line] as [UInt32?] {
        let action = place.map { script.stream("action", line: $0) } ?? script.stream("action")
        script.value(action, "v", at: 1)
      }
      let last = line == nil ? script.stream("action") : script.stream("other")
      script.value(last, "v", at: 2)
      let rendered = try Rendered(script)
      let streams = try StreamCensus(Selection(), in: rendered.reader).streams
      let table = StreamsText(
        time: rendered.reader.time, span: TraceSpan(of: rendered.reader),
        style: OutputStyle(colours: false, ascii: false, width: 80))
      let lines = Rendered.written { table.write(streams.map { StreamsText.Row($0) }, to: $0) }
        .split(separator: "\n")
      #expect(lines[0].contains(" ID ") == hasIDs, "\(lines)")
      if hasIDs { #expect(lines[2].hasPrefix("action   2 ") && lines[3].hasPrefix("action   3 ")) }
    }
  }

  private func table(width: Int?, colours: Bool = false) throws -> [String] {
    let rendered = try Rendered(EventTextTests.everything())
    let census = try StreamCensus(Selection(), in: rendered.reader)
    let table = StreamsText(
      time: rendered.reader.time, span: TraceSpan(of: rendered.reader),
      style: OutputStyle(colours: colours, ascii: false, width: width))
    let text = Rendered.written { table.write(census.streams.map { StreamsText.Row($0) }, to: $0) }
    return text.split(separator: "\n").map(String.init)
  }

  private func plain(_ line: String) -> String { line.replacing(/\u{1b}\[[0-9;]*m/, with: "") }

  @Test(
    "lines fit, with and without colours, and whatever is cut says so", arguments: [8, 20, 40, 61])
  func fit(width: Int) throws {
    let (plainLines, coloured) = (try table(width: width), try table(width: width, colours: true))
    #expect(plainLines.allSatisfy { DisplayWidth.of($0) <= width })
    #expect(coloured.map(plain) == plainLines)
    #expect(width > 8 || plainLines.contains { $0.hasSuffix("…") })
    // No colour runs on into the next line.
    #expect(coloured.allSatisfy { !$0.contains("\u{1b}") || $0.contains("\u{1b}[0m") })
    for line in coloured {
      let codes = line.matches(of: /\u{1b}\[[0-9;]*m/).map { String($0.output) }
      #expect(codes.last == "\u{1b}[0m")
    }
  }

  @Test("where lines need not fit, nothing is cut")
  func whole() throws {
    let lines = try table(width: nil)
    #expect(!lines.joined().contains("…"))
    #expect(try table(width: 500) == lines)
  }
}
