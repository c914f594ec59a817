import Foundation
import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// What is found in the traces of programs that ran.
@Suite("What is found in programs' traces", .serialized)
struct RecordedFindingsTests {
  private let folder = TemporaryFolder()

  private func record(_ play: String, dies: Bool = false) throws -> TraceReader {
    let path = folder.file("play.varve")
    let run = try CommandRun(
      [play, path], environment: ["SWIFT_BACKTRACE": "enable=no"], program: "CauseChild")
    try #require((run.status == 0) != dies, "\(run.output)\(run.errors)")
    return try TraceReader(path: path)
  }

  private func findings(_ reader: TraceReader) throws -> [Finding] {
    Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader)).all
  }

  /// `Recursion.swift:9`: the line of a source of the program that ends with a comment.
  private func place(_ comment: String, in file: String) throws -> String {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../CauseChild/\(file)")
    let lines = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "\n")
    return "\(file):\(try #require(lines.firstIndex { $0.hasSuffix("// \(comment)") }) + 1)"
  }

  @Test("E7: the recursion that stopped a program is found, with the words that say where it was")
  func stopped() throws {
    let reader = try record("own delivery", dies: true)
    let found = try findings(reader)
    #expect(found.map(\.kind) == [.recursion])
    let finding = try #require(found.first)
    #expect(finding.stream.flatMap { reader.definitions.streams[$0]?.name } == "numbers")
    let lookup = EventLookup(reader)
    let words = try #require(finding.evidence.first.flatMap { lookup[$0] })
    #expect(words.kind == .log)
    #expect(words.payload.text.contains(try place("began", in: "Recursion.swift")))
    #expect(words.payload.text.contains(try place("comes back", in: "Recursion.swift")))
    // The second piece of evidence is the value in whose delivery it was.
    let value = try #require(finding.evidence.dropFirst().first.flatMap { lookup[$0] })
    #expect(value.kind == .value)
  }

  @Test("a property that was read while it was changed is found, too")
  func ownChange() throws {
    let reader = try record("own change", dies: true)
    let found = try findings(reader)
    #expect(found.map(\.kind) == [.recursion])
    #expect(found.first?.stream.flatMap { reader.definitions.streams[$0]?.name } == "total")
  }

  @Test("B5: work that two queues give to each other is found, with its length and its ends")
  func pingPong() throws {
    let reader = try record("ping-pong")
    let found = try findings(reader)
    #expect(found.map(\.kind) == [.recursion])
    let finding = try #require(found.first)
    #expect(finding.count == 2_000)
    let lookup = EventLookup(reader)
    #expect(finding.evidence.map { lookup[$0]?.kind } == [.hopScheduled, .hopScheduled])
    // The backtrace of the same event says that it is cut.
    var backtraces = TraceBacktraces(reader)
    let last = backtraces.backtrace(of: finding.evidence[0])
    #expect(last?.isCut == true)
    #expect(last?.segments.count == 32)
  }

  @Test("B5: two thousand turns of one loop are a loop, and nothing is found")
  func turns() throws { #expect(try findings(record("turns")).map(\.kind) == []) }

  @Test("who started a producer is told by the code, also where its stages have no edges")
  func starts() throws {
    let reader = try record("starts")
    let symbols = Symbolizer(reader.definitions)
    let lookup = EventLookup(reader)
    let line = try place("starts", in: "Starts.swift")
    var names: Set<String> = []
    for event in reader.names {
      let event = try #require(lookup[event])
      let name = reader.definitions.streams[event.stream]?.name ?? ""
      guard event.kind == .subscribed, name != "opened" else { continue }
      let stack = SubscriptionPayload(word: event.payload.word).stack
      let frames = try #require(reader.definitions.stacks[stack]?.frames, "#\(event.name) \(name)")
      symbols.lookUp(frames)
      let own = try #require(symbols.ownFrame(of: frames))
      #expect(own.place.description == line)
      names.insert(name)
    }
    #expect(names.isSuperset(of: ["clock", "page.time"]))
    let found = try findings(reader)
    #expect(found.map(\.kind) == [.leak])
    #expect(found.first?.count == 24)
  }
}
