import Testing
import VarveAnalysis
import VarveExport
import VarveMarbles

@Suite("Tables on narrow terminals")
struct LineCutTests {
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
    "lines fit, with and without colours, and whatever is cut says so", arguments: [20, 40, 61])
  func fit(width: Int) throws {
    let (plainLines, coloured) = (try table(width: width), try table(width: width, colours: true))
    #expect(plainLines.allSatisfy { DisplayWidth.of($0) <= width })
    #expect(coloured.map(plain) == plainLines)
    #expect(plainLines.contains { $0.hasSuffix("…") })
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
