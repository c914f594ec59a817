import Foundation
import Testing
import VarveFormat
import VarveMarbles
import VarveTraceScript

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Timelines in other forms")
struct TimelineFormatTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace)
  }

  @Test("SVG is one well-formed picture without scripts or links, the same bytes each time")
  func svg() throws {
    let run = try CommandRun(["timeline", trace, "--format", "svg"])
    #expect(run.status == 0)
    let document = WellFormed(run.output)
    #expect(document.isWellFormed)
    #expect(document.elements["svg"] == 1)
    #expect(document.elements["script"] == nil)
    #expect(!run.output.contains("href"))
    #expect(run.output.contains("prefers-color-scheme:dark"))
    // Each of the four queries, by its tooltip.
    for query in ["sea", "search", "sear", "searx"] {
      #expect(run.output.contains("queries &quot;\(query)&quot;&#10;#"))
    }
    #expect(try CommandRun(["timeline", trace, "--format", "svg"]).output == run.output)
  }

  @Test("a marble's tooltip tells its value, its time, its thread and its cause")
  func tooltip() throws {
    var script = TraceScript()
    _ = script.thread("worker", ring: 1)
    let keys = script.stream("keys", line: 3)
    let query = script.stream("query", from: [keys], line: 4)
    script.value(keys, "k", at: 1)
    script.value(query, "ok", at: 2, back: 1)
    script.record(.failed, of: query, .string("no"), at: 3, back: 1)
    let path = folder.file("caused.varve")
    try script.write(to: path)
    let run = try CommandRun(["timeline", path, "--format", "svg"])
    let because = "on worker&#10;because of #1.1 keys &quot;k&quot;&#10;Shop.swift:4</title>"
    #expect(run.output.contains("query &quot;ok&quot;&#10;#1.2 at 2.000000 ms \(because)"))
    #expect(run.output.contains("query failed: no&#10;#1.3 at 3.000000 ms on worker&#10;because"))
  }

  @Test("the page is the picture, fetches nothing, and is closed to what would")
  func page() throws {
    let page = try CommandRun(["timeline", trace, "--format", "html"]).output
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(page.contains("default-src 'none'"))
    #expect(!page.contains("http://") || !page.contains("src="))
    let picture = try CommandRun(["timeline", trace, "--format", "svg"]).output
    #expect(page.contains(picture))
  }

  @Test("the page's time can be stretched: its script knows where the axis of the picture begins")
  func zoom() throws {
    let page = try CommandRun(["timeline", trace, "--format", "html"]).output
    let left = try #require(page.firstMatch(of: /<main data-left="(\d+)">/)).1
    // The first thing on the axis of each lane stands right of it, and the names stand left.
    let places = page.matches(of: /<(?:circle[^>]* cx|line class="life" x1)="(\d+)"/)
      .compactMap { Int($0.1) }
    let axis = try #require(Int(left))
    #expect(places.count > 10)
    #expect(places.allSatisfy { $0 >= axis })
    #expect(try #require(places.min()) - axis < 5 * 4)
    let names = page.matches(of: /<text class="name" x="(\d+)"/).compactMap { Int($0.1) }
    #expect(!names.isEmpty && names.allSatisfy { $0 < axis })
    #expect(page.contains("addEventListener('wheel'"))
    #expect(page.contains("stretch the time; 0 shows all of it again"))
    // A command that is shown with a marble is one that a shell takes.
    #expect(page.contains("data-files=\"\(trace)\""))
  }

  @Test("values that lie too close are one marble with their count, however many they are")
  func detail() throws {
    var script = TraceScript()
    let stream = script.stream("many")
    for index in 0..<200_000 { script.value(stream, "\(index)", at: Double(index) / 100) }
    let path = folder.file("many.varve")
    try script.write(to: path)
    let run = try CommandRun(["timeline", path, "--format", "svg"])
    let document = WellFormed(run.output)
    #expect(document.isWellFormed && run.output.utf8.count < 60_000)
    #expect(document.counts.reduce(0, +) == 200_000)
  }

  @Test("names and values cannot break out of the picture or the page")
  func hostile() throws {
    var script = TraceScript()
    let stream = script.stream("</text></script><script>alert(1)</script>\u{1b}")
    script.value(stream, "\"><img src=x onerror=alert(1)>&\u{0}", at: 1)
    let path = folder.file("<b>'\"hostile.varve")
    try script.write(to: path)
    let run = try CommandRun(["timeline", path, "--format", "svg"])
    let document = WellFormed(run.output)
    #expect(document.isWellFormed)
    #expect(document.elements["script"] == nil && document.elements["img"] == nil)
    let page = try CommandRun(["timeline", path, "--format", "html"]).output
    #expect(page.components(separatedBy: "<script").count == 2)
    #expect(!page.contains("<img") && !page.contains("<b>"))
  }

  @Test("RxJS's marbles read back as the same order and the same milliseconds")
  func rxjs() throws {
    let run = try CommandRun(["timeline", trace, "--format", "rxjs", "-n", "queries"])
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.first == "queries")
    let text = try #require(lines.first { $0.hasPrefix("'") })
    let diagram = try MarbleDiagram(parsing: text.trimmingCharacters(in: ["'"]))
    #expect(diagram.marbles.map(\.frame) == [680, 1_460, 7_330, 8_110, 8_600])
    #expect(String(diagram.marbles.map(\.marble.character)) == "abcd|")
    #expect(
      lines.filter { $0.contains(" = ") } == [
        "a = \"sea\"", "b = \"search\"", "c = \"sear\"", "d = \"searx\"",
      ])
  }

  @Test("RxJS's marbles of a merged trace name the process of each stream")
  func processes() throws {
    let merged = folder.file("merged.varve")
    var script = SearchTrace().script
    script.id = TraceID(low: 3, high: 4)
    script.process.program = "/usr/bin/till"
    let other = folder.file("till.varve")
    try script.write(to: other)
    try #require(try CommandRun(["merge", trace, other, "-o", merged]).status == 0)
    let run = try CommandRun(["timeline", merged, "--format", "rxjs", "-n", "queries"])
    let names = run.output.split(separator: "\n").filter { $0.hasSuffix(" queries") }
    let pid = script.process.pid
    #expect(Set(names).count == 2 && names.contains("till[\(pid)] queries"), "\(names)")
  }

  @Test("RxJS's marbles say who subscribed and when, and have no end when the stream was cancelled")
  func subscriptions() throws {
    var script = TraceScript()
    let stream = script.stream("ticks")
    let edge = script.subscribe(stream, at: 2)
    script.value(stream, "tick", at: 5)
    script.value(stream, "tick", at: 40)
    script.end(edge, of: stream, .disposed, at: 41)
    let path = folder.file("ticks.varve")
    try script.write(to: path)
    let run = try CommandRun(["timeline", path, "--format", "rxjs"])
    #expect(
      run.output == """
        ticks
          '-----a 34ms a'
          a = "tick"
          subscription '--^ 38ms !'

        """)
  }
}

/// Reads XML, counts its elements, and collects the numbers on its marbles.
private final class WellFormed: NSObject, XMLParserDelegate {
  private(set) var isWellFormed = false
  private(set) var elements: [String: Int] = [:]
  private(set) var counts: [Int] = []
  private var count: String?

  init(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    isWellFormed = parser.parse()
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    elements[name, default: 0] += 1
    count = attributes["class"] == "count" ? "" : nil
    if name == "circle" { counts.append(1) }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { count?.append(text) }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    if let number = count.flatMap({ Int($0) }) { counts.append(number) }
    count = nil
  }
}
