import Testing
import VarveAnalysis
import VarveProbe
import VarveTraceScript

@Suite("Findings about inverted priorities")
struct InvertedPriorityTests {
  /// A task of priority 25 waits for a continuation from 1 ms on, and one of another priority, which
  /// is ready from `ready` ms on and begins at `begins` ms, resumes it half a millisecond later.
  private func script(_ priority: UInt8, ready: Double, begins: Double) -> TaskScript {
    var script = TaskScript()
    _ = script.script.thread("worker", ring: 2)
    script.script.taskTemplate(3, name: "screen")
    script.script.taskTemplate(4, name: "clean-up")
    script.create(1, template: 3, at: 0)
    script.begin(1, at: 0.5)
    script.end(1, .continuation, at: 1, stack: 7)
    script.create(2, template: 4, at: ready, ring: 2)
    script.begin(2, at: begins, ring: 2, priority: priority)
    script.schedule(1, at: begins + 0.5, ring: 2)
    script.end(2, .nothing, at: begins + 1, stack: 0)
    script.begin(1, at: begins + 2, ring: 2)
    script.end(1, .nothing, at: begins + 3, stack: 0)
    return script
  }

  @Test("G1: a task of high priority that waits long for a low one that is ready is found")
  func inverted() throws {
    let found = try script(17, ready: 20, begins: 200).findings()
    #expect(found.map(\.kind) == [.backlog])
    #expect(found.first?.place == .stack(7) && found.first?.evidence.count == 2)
    let told = "\(found.first?.sentence?.parts ?? [])"
    #expect(told.contains("screen") && told.contains("clean-up"))
  }

  @Test("G1: a wait for a task of the same priority, a short one, or for work is no inversion")
  func healthy() throws {
    #expect(try script(25, ready: 20, begins: 200).findings().isEmpty)
    #expect(try script(17, ready: 5, begins: 60).findings().isEmpty)
    #expect(try script(17, ready: 180, begins: 200).findings().isEmpty)
  }
}
