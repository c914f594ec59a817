import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveMarbles
import VarveTraceScript

@Suite("Trees of streams")
struct StreamTreeTests {
  /// Returns the table of a chain of streams, each fed by the one before.
  private func table(of count: Int, width: Int, ascii: Bool = false) throws -> [String] {
    var script = TraceScript()
    var last: [UInt32] = []
    for index in 0..<count {
      last = [script.stream("step\(index) of the way", from: last, line: UInt32(10 + index))]
      script.value(last[0], "v", at: Double(index))
    }
    let reader = try Rendered(script).reader
    let census = try StreamCensus(Selection(), in: reader)
    let style = OutputStyle(colours: false, ascii: ascii, width: width)
    let tree = StreamTree(
      census.streams, feeds: [], definitions: reader.definitions.streams, ascii: ascii)
    let text = Rendered.written { output in
      StreamsText(time: reader.time, span: TraceSpan(of: reader), style: style)
        .write(tree, to: output)
    }
    return text.split(separator: "\n").map(String.init)
  }

  @Test("where branches leave no room for names, the outer levels are counted")
  func counted() throws {
    let whole = try table(of: 100, width: 80)
    let lines = Array(whole.dropLast())
    #expect(lines.count == 101)
    #expect(whole.last == "…12 before a name: 12 levels of the tree above it are not drawn.")
    #expect(whole.allSatisfy { DisplayWidth.of($0) <= 80 })
    for (index, line) in lines.dropFirst().enumerated() {
      #expect(line.contains("step\(index) "), "\(line)")
      #expect(line.hasSuffix("Shop.swift:\(10 + index)"), "\(line)")
    }
    #expect(lines[3].hasPrefix(" └ step2"))
    let last = try #require(lines.last)
    let levels = try #require(last.firstMatch(of: /^…(\d+) ( *)└ step99/))
    let hidden = try #require(Int(levels.1))
    #expect(hidden + levels.2.count + 1 == 99)
    let plain = try table(of: 100, width: 80, ascii: true).dropLast().last
    #expect(plain?.hasPrefix("..\(hidden) ") == true, "\(plain ?? "")")
    // Neighbors leave out as many, so that one is seen to be below the other.
    let numbers = lines.compactMap { $0.firstMatch(of: /^…(\d+)\s/)?.1 }
    #expect(Set(numbers).count < numbers.count / 4, "\(numbers)")
  }

  @Test("where two columns a level leave no room for names, a level takes one")
  func narrow() throws {
    let wide = try table(of: 6, width: 200)
    #expect(wide[6].hasPrefix("        └ step5 of the way  "))
    let narrow = try table(of: 19, width: 80)
    for (index, line) in narrow.dropFirst(2).enumerated() {
      let branch = String(repeating: " ", count: index) + "└ step\(index + 1) "
      #expect(line.hasPrefix(branch), "\(line)")
    }
    #expect(narrow.count == 20)
  }

  /// Returns the tree of two properties: the second is bound to the first, and the first to the
  /// second if `isCircle`. The second was made first.
  private func bound(isCircle: Bool, width: Int? = nil) throws -> [String] {
    var script = TraceScript()
    let litres = script.stream("property@Pool.swift:9", "property", line: 9)
    let euros = script.stream("euros", "property", line: 10)
    let changed = script.stream(
      "euros.map(_:)", "map(_:)", from: [euros], derived: true, line: 20)
    _ = script.stream("euros.map(_:)", "producer", from: [changed], derived: true, line: 19)
    _ = script.subscribe(changed, to: litres, at: 1)
    script.value(euros, "1", at: 2)
    if isCircle { _ = script.subscribe(litres, to: euros, at: 3) }
    let reader = try Rendered(script).reader
    let census = try StreamCensus(Selection(), in: reader)
    let table = StreamsText(
      time: reader.time, span: TraceSpan(of: reader),
      style: OutputStyle(colours: false, ascii: false, width: width))
    let tree = StreamTree(
      census.streams, feeds: try StreamFeeds(innerIn: reader).edges,
      definitions: reader.definitions.streams, ascii: false)
    return Rendered.written { table.write(tree, to: $0) }.split(separator: "\n").map(String.init)
  }

  @Test("a binding is an edge, also of a property that was made first")
  func binding() throws {
    let lines = try bound(isCircle: false)
    #expect(lines.count == 5)
    #expect(!lines[0].contains("FEEDS BACK"))
    let names = ["euros ", "└ ….map(_:) ", "  ├ property@Pool.swift:9 ", "  └ ….producer "]
    for (line, name) in zip(lines.dropFirst(), names) { #expect(line.hasPrefix(name), "\(line)") }
  }

  @Test("the last stream of a circle says which one above it feeds, in narrow terminals, too")
  func circle() throws {
    for width in [nil, 80, 60] {
      let lines = try bound(isCircle: true, width: width)
      #expect(lines[0].hasSuffix("FEEDS BACK"))
      let circle = try #require(lines.first { $0.hasSuffix("  property@Pool.swift:9") })
      #expect(circle.contains("….map(_:)"), "\(circle)")
      #expect(lines.filter { $0.contains("property@Pool.swift:9") }.count == 2)
      #expect(lines[1].hasPrefix("property@Pool.swift:9"), "\(lines)")
    }
  }
}
