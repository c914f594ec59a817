import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveMarbles
import VarveTraceScript

@Suite("Deep trees of streams")
struct DeepTreeTests {
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
}
