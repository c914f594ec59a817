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
    let lines = try table(of: 40, width: 80)
    #expect(lines.count == 41)
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
    for (index, line) in lines.dropFirst().enumerated() {
      #expect(line.contains("step\(index) "), "\(line)")
      #expect(line.hasSuffix("Shop.swift:\(10 + index)"), "\(line)")
    }
    #expect(lines[3].hasPrefix("  └ step2"))
    let last = try #require(lines.last)
    let levels = try #require(last.firstMatch(of: /^…(\d+) ( *)└ step39/))
    #expect(try #require(Int(levels.1)) + levels.2.count / 2 + 1 == 39)
    #expect(try table(of: 40, width: 80, ascii: true).last?.hasPrefix("..\(levels.1) ") == true)
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
