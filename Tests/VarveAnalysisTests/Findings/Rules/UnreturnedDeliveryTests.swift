import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// Deliveries that do not come back, because the code that sent the value holds a lock that an observer wants.
@Suite("Deliveries that do not return")
struct UnreturnedDeliveryTests {
  private let folder = TemporaryFolder()
  /// The source of the code that sends, in line 4 with the lock, and in line 9 without it.
  private let source: SourceFile

  init() throws {
    source = try SourceFile(
      """
      func vote() {
        lock.lock()
        defer { lock.unlock() }
        send()
      }
      func show() {
        lock.lock()
        lock.unlock()
        send()
      }
      """)
  }

  /// What is found if a value was sent from a line to two operators, of which so many answer.
  private func findings(line: UInt32, answers: Int, goesOn: Bool = false) throws -> [Finding] {
    var script = TraceScript()
    let votes = script.stream("votes", line: 2)
    let first = script.stream("banner", "map(_:)", from: [votes], line: 3, traits: [])
    let second = script.stream("list", "map(_:)", from: [votes], line: 4, traits: [])
    script.module(1, "/src/jukebox", 0x1000..<0x9000)
    script.stack(5, [0x2000])
    script.code(0x2000, "vote()", line: line, of: source.path)
    for operation in [first, second] {
      _ = script.subscribe(operation, at: 0)
      _ = script.subscribe(votes, to: operation, at: 0)
    }
    let value = script.value(votes, "Waterloo", at: 1)
    script.record(
      .sent, of: votes, .cause(HopPayload(stack: 5, parent: 0)), at: 1, back: 1, causes: [value])
    for operation in [first, second].prefix(answers) {
      script.record(.value, of: operation, .string("Waterloo"), at: 1, causes: [value])
    }
    if goesOn { script.value(script.stream("other"), "next", at: 5) }
    let path = folder.file("\(line) \(answers) \(goesOn).varve")
    try script.write(to: path, ending: .killed)
    let reader = try TraceReader(path: path)
    return Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader)).all.filter {
      $0.kind == .hang
    }
  }

  @Test(
    "G1: what sent a value with a lock held is marked if one of several operators did not return")
  func locked() throws {
    let found = try findings(line: 4, answers: 1)
    #expect(found.count == 1 && found.first?.stream == 3)
    #expect(found.first?.place == .line(Place(path: source.path, line: 4)))
    #expect(
      try findings(line: 4, answers: 0).first?.place == .line(Place(path: source.path, line: 4)))
  }

  @Test(
    "G1: operators that all answered, a lock given back before, and a thread that goes on are no hang"
  )
  func returned() throws {
    #expect(try findings(line: 4, answers: 2).isEmpty)
    #expect(try findings(line: 9, answers: 1).isEmpty)
    #expect(try findings(line: 4, answers: 1, goesOn: true).isEmpty)
    // The last value that nobody answered tells of itself.
    #expect(try findings(line: 9, answers: 0).first?.place == .stack(5))
  }
}
