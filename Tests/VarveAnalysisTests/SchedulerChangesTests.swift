import Testing

@testable import VarveAnalysis

/// The list by which the scheduler of each event is known.
@Suite("Changes of schedulers")
struct SchedulerChangesTests {
  @Test("an event has the scheduler of the last change before it", arguments: 1...8)
  func found(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    var changes = SchedulerChanges()
    var list: [(sequence: UInt64, scheduler: UInt32)] = []
    var sequence = UInt64.random(in: 1..<100, using: &random)
    #expect(changes.scheduler(at: sequence) == 0)
    for _ in 0..<200 {
      let scheduler =
        UInt32.random(in: 0...(.max), using: &random) >> UInt32.random(in: 0..<32, using: &random)
      _ = changes.append(sequence: sequence, scheduler: scheduler)
      list.append((sequence, scheduler))
      sequence +=
        UInt64.random(in: 1..<(1 << 40), using: &random)
        >> UInt64.random(in: 0..<40, using: &random)
    }
    for asked in list.flatMap({ [$0.sequence - 1, $0.sequence, $0.sequence + 1] }) {
      let right = list.last { $0.sequence <= asked }?.scheduler ?? 0
      #expect(changes.scheduler(at: asked) == right)
    }
  }

  @Test("a change takes a few bytes")
  func small() {
    var changes = SchedulerChanges()
    let usual = (0..<10_000).map { changes.append(sequence: UInt64($0 * 5), scheduler: 300) }
    #expect(usual.reduce(0, +) <= 10_000 * 8)
  }
}
