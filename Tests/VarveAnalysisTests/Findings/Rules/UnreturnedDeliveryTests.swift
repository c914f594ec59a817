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
      votes.observeValues { _ in vote() }
      votes.observeValues { _ in print(1) }
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
    let value = send(votes, in: &script)
    for operation in [first, second].prefix(answers) {
      script.record(.value, of: operation, .string("Waterloo"), at: 1, causes: [value])
    }
    if goesOn { script.value(script.stream("other"), "next", at: 5) }
    return try hangs(script)
  }

  /// Code with the stack 5 sends a value.
  private func send(_ stream: UInt32, in script: inout TraceScript) -> EventName {
    let value = script.value(stream, "Waterloo", at: 1)
    script.record(
      .sent, of: stream, .cause(HopPayload(stack: 5, parent: 0)), at: 1, back: 1, causes: [value])
    return value
  }

  private func hangs(_ script: TraceScript) throws -> [Finding] {
    let path = folder.file("votes.varve")
    try script.write(to: path, ending: .killed)
    let reader = try TraceReader(path: path)
    return Findings(try TraceHistory(reader), reader, lookup: EventLookup(reader)).all
      .filter { $0.kind == .hang }
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

  @Test("G1: an observer outside all streams is found if its closure takes the lock by its source")
  func observed() throws {
    for line in [11, 12] as [UInt32] {
      var script = TraceScript()
      let votes = script.stream("votes", line: 2)
      script.module(1, "/src/jukebox", 0x1000..<0x9000)
      for (stack, code) in [(5, 4), (6, line)] as [(UInt32, UInt32)] {
        script.stack(stack, [UInt64(stack) << 12])
        script.code(UInt64(stack) << 12, "vote()", line: code, of: source.path)
      }
      _ = script.subscribe(votes, at: 0, by: 6)
      _ = send(votes, in: &script)
      let found = try hangs(script)
      #expect(found.map(\.place) == (line == 11 ? [.line(Place(path: source.path, line: 4))] : []))
    }
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
