import Testing
import VarveAnalysis
import VarveProbe
import VarveTraceScript

@Suite("Findings about children that nobody awaits")
struct UnawaitedChildTests {
  /// A task makes a child at 1 ms, and leaves the child's scope at 20 ms.
  ///
  /// - Parameters:
  ///   - making: how the child is made.
  ///   - cancels: whether the child is cancelled then.
  ///   - end: when the child ends; nil if it does not.
  private func script(
    _ making: TaskMaking = .asyncLet, cancels: Bool = true, until end: Double?
  ) -> TaskScript {
    var script = TaskScript()
    script.script.taskTemplate(3, making, stack: 7)
    script.create(1, at: 0)
    script.begin(1, at: 0)
    script.create(2, by: 1, template: 3, at: 1)
    script.begin(2, at: 2, ring: 2)
    script.end(2, .continuation, at: 3)
    if cancels { script.cancel(2, at: 20) }
    script.end(1, .task, number: 2, at: 20)
    if let end {
      script.schedule(2, at: end, ring: 2)
      script.begin(2, at: end, ring: 2)
      script.end(2, .nothing, at: end + 1)
    } else {
      script.create(9, at: 900, ring: 2)
    }
    return script
  }

  @Test("G1: a child that is waited for at the end of its scope is found where it is made")
  func unawaited() throws {
    for end in [400.0, nil] {
      let found = try script(until: end).findings()
      #expect(found.map(\.kind) == [.stuck], "\(end ?? 0)")
      #expect(found.first?.place == .stack(7) && found.first?.question == .tasks)
      #expect(found.first?.nanoseconds ?? 0 >= 380_000_000)
    }
  }

  @Test("G1: a child that is awaited, heeds its cancellation, or is of another kind is no problem")
  func healthy() throws {
    #expect(try script(cancels: false, until: 400).findings().isEmpty)
    #expect(try script(until: 60).findings().isEmpty)
    #expect(try script(.groupChild, until: 400).findings().isEmpty)
  }
}
