import Testing
import VarveAnalysis
import VarveProbe
import VarveTraceScript

@Suite("Findings about cancellations that do not reach a task")
struct UnpassedCancellationTests {
  /// Task 1 makes task 2 and waits for it. Task 1 is cancelled at 10 ms, and task 2 ends later.
  private func waiting(
    until end: Double?, passesOn: Bool = false, isShared: Bool = false, isLate: Bool = false
  ) -> TaskScript {
    var script = TaskScript()
    script.script.taskTemplate(3, stack: 7)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, template: 3, at: 2)
    script.begin(2, at: 3, ring: 2)
    script.end(2, .continuation, at: 4)
    if isLate { script.cancel(1, at: 4.5) }
    script.end(1, .task, number: 2, at: 5)
    if isShared {
      script.create(3, at: 6)
      script.begin(3, at: 7)
      script.end(3, .task, number: 2, at: 8)
    }
    if !isLate { script.cancel(1, at: 10) }
    if passesOn { script.cancel(2, at: 10) }
    guard let end else {
      script.create(9, at: 900, ring: 2)
      return script
    }
    script.schedule(2, at: end, ring: 2)
    script.begin(2, at: end, ring: 2)
    script.end(2, .nothing, at: end + 1)
    return script
  }

  @Test("G1: a task that was cancelled, and waits for one of its own making that was not, is found")
  func unpassed() throws {
    for script in [
      waiting(until: 400), waiting(until: nil), waiting(until: 400, isLate: true),
    ] {
      let found = try script.findings().filter { $0.kind == .stuck }
      #expect(found.map(\.place) == [.stack(7)])
      #expect(found.first?.nanoseconds ?? 0 >= 380_000_000)
    }
  }

  @Test("G1: what ends soon, is cancelled too, or has others that wait for it, is no such task")
  func healthy() throws {
    for script in [
      waiting(until: 60), waiting(until: 400, passesOn: true), waiting(until: 400, isShared: true),
    ] {
      #expect(try script.findings().filter { $0.kind == .stuck }.isEmpty)
    }
  }

  /// Tasks each make another one, which runs every 20 ms, and are cancelled 10 ms later.
  private func orphans(_ count: UInt64, runs: Int, cancels: Bool = true) -> TaskScript {
    var script = TaskScript()
    script.script.taskTemplate(3, stack: 7)
    for number in 0..<count {
      let start = Double(number) * 300
      let (maker, made) = (10 + number, 100 + number)
      script.create(maker, at: start)
      script.begin(maker, at: start + 1)
      script.create(made, by: maker, template: 3, at: start + 2)
      script.end(maker, .continuation, at: start + 3)
      if cancels { script.cancel(maker, at: start + 10) }
      for run in 0..<runs {
        let time = start + 12 + Double(run) * 20
        script.schedule(made, at: time, ring: 2)
        script.begin(made, at: time + 0.1, ring: 2)
        script.end(made, run == runs - 1 ? .nothing : .continuation, at: time + 0.2)
      }
    }
    return script
  }

  @Test(
    "G1: tasks that run on and on after their makers were cancelled are found where they are made")
  func orphaned() throws {
    let found = try orphans(3, runs: 10).findings().filter { $0.kind == .leak }
    #expect(found.map(\.place) == [.stack(7)] && found.first?.count == 3)
    #expect(try orphans(2, runs: 10).findings().filter { $0.kind == .leak }.isEmpty)
    #expect(try orphans(3, runs: 3).findings().filter { $0.kind == .leak }.isEmpty)
    // Others wait for them.
    var shared = orphans(3, runs: 10)
    for number in 0..<3 as Range<UInt64> {
      let time = Double(number) * 300 + 13
      shared.create(500 + number, at: time, ring: 3)
      shared.begin(500 + number, at: time, ring: 3)
      shared.end(500 + number, .task, number: 100 + number, at: time)
    }
    #expect(try shared.findings().filter { $0.kind == .leak }.isEmpty)
    #expect(try orphans(3, runs: 10, cancels: false).findings().filter { $0.kind == .leak }.isEmpty)
  }
}
