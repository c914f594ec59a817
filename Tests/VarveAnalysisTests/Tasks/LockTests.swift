import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Tasks whose threads wait for locks that other threads hold.
@Suite("Locks that tasks wait for")
struct LockTests {
  private static let first: UInt64 = 4713
  private static let second: UInt64 = 4714

  /// Two tasks that run on threads of their own.
  private func pair(priorities: (UInt8, UInt8) = (21, 21)) -> TaskScript {
    var script = TaskScript()
    let one = script.script.thread("one", ring: 2)
    let other = script.script.thread("other", ring: 3)
    script.create(1, at: 0)
    script.begin(1, at: 1, ring: one, priority: priorities.0)
    script.create(2, at: 2)
    script.begin(2, at: 3, ring: other, priority: priorities.1)
    return script
  }

  private func sample(
    _ script: inout TaskScript, _ hop: UInt64, at time: Double, holder: UInt64 = 0,
    stack: UInt32 = 7
  ) {
    let payload = SamplePayload(stack: stack, waits: true, holder: holder)
    script.script.record(
      .hopSampled, of: 0, .cause(HopPayload(word: payload.word)), at: time, ring: 9,
      subscription: hop)
  }

  private func killed(_ script: TaskScript, after time: Double = 3_000) -> TaskScript {
    var script = script
    script.script.record(.mark, of: 0, .unit, at: time, ring: 9)
    script.ending = .killed
    return script
  }

  @Test("K4: of a task whose thread waits for a lock, the holder is known")
  func holder() throws {
    var script = pair()
    sample(&script, 1, at: 60, holder: Self.second)
    try script.with { reader in
      let tasks = try TraceTasks(reader).tasks
      #expect(tasks.map(\.awaiting) == [.lock, nil])
      #expect(tasks.first?.awaitedTask == 2 && tasks.first?.lockHolder == Self.second)
      #expect(tasks.first?.isBlocked == true && tasks.first?.phase == .running)
    }
  }

  @Test("G1: tasks that want each other's locks are found as a circle")
  func circle() throws {
    var script = pair()
    sample(&script, 1, at: 60, holder: Self.second)
    sample(&script, 2, at: 61, holder: Self.first, stack: 8)
    let found = try killed(script).findings().filter { $0.kind == .hang }
    #expect(found.map(\.place) == [.stack(8)])
    #expect(
      found.first?.sentence?.parts.contains { part in
        if case .text(let text) = part { text.contains("wants a lock of task 1") } else { false }
      } == true)
  }

  @Test("G1: a task that wants a lock which its own thread holds is found where it wants it")
  func again() throws {
    var script = pair()
    sample(&script, 1, at: 60, holder: Self.first)
    let found = try killed(script).findings().filter { $0.kind == .hang }
    #expect(found.map(\.place) == [.stack(7)])
  }

  @Test("G1: a lock that is not released is found where its holder is, if others wait long for it")
  func held() throws {
    var script = pair()
    sample(&script, 1, at: 60, holder: Self.second)
    sample(&script, 2, at: 61, stack: 8)
    #expect(try killed(script).findings().filter { $0.kind == .hang }.map(\.place) == [.stack(8)])
    #expect(try killed(script, after: 500).findings().filter { $0.kind == .hang }.isEmpty)
    // Its program has ended, so that it was released.
    #expect(try script.findings().filter { $0.kind == .hang }.isEmpty)
  }

  @Test("G1: a lock that a suspended task has left on its thread is found at its suspension")
  func kept() throws {
    var script = pair()
    script.end(2, .continuation, at: 20, stack: 8)
    sample(&script, 1, at: 60, holder: Self.second)
    #expect(try killed(script).findings().filter { $0.kind == .hang }.map(\.place) == [.stack(8)])
  }

  @Test("G1: a task of high priority that waits for a lock of one of low priority is found")
  func inversion() throws {
    for (low, isFound) in [(9, true), (21, false)] as [(UInt8, Bool)] {
      var script = pair(priorities: (25, low))
      sample(&script, 1, at: 30, holder: Self.second)
      sample(&script, 1, at: 150, holder: Self.second)
      script.end(1, .nothing, at: 200)
      let found = try script.findings().filter { $0.kind == .backlog }
      #expect(found.map(\.place) == (isFound ? [.common([7])] : []))
    }
  }
}
