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

  /// A task makes children one after the other, whose scopes end at once.
  ///
  /// - Parameters:
  ///   - fails: whether the task fails.
  ///   - awaitsFirst: whether it awaits the first child.
  ///   - catches: whether the children catch the error with which they are broken off.
  private func dropped(
    _ count: UInt64, fails: Bool = false, awaitsFirst: Bool = false, catches: Bool = false
  ) -> TaskScript {
    var script = TaskScript()
    script.script.taskTemplate(3, .asyncLet, stack: 7)
    script.create(1, at: 0)
    script.begin(1, at: 0)
    for number in 0..<count {
      let (task, time) = (2 + number, 10 + 10 * Double(number))
      script.create(task, by: 1, template: 3, at: time)
      script.begin(task, at: time + 1, ring: 2)
      script.end(task, .continuation, at: time + 2)
      let isAwaited = awaitsFirst && number == 0
      if !isAwaited { script.cancel(task, at: time + 3) }
      script.end(1, .task, number: task, at: time + 4)
      script.schedule(task, at: time + 5, ring: 2)
      script.begin(task, at: time + 6, ring: 2)
      if !isAwaited {
        script.throwError("CancellationError", in: task, at: time + 6.5, ring: 2, stack: 0)
      }
      script.end(task, .nothing, at: time + 7)
      if !isAwaited, !catches { script.fail(task, "CancellationError", at: time + 7.5) }
      script.schedule(1, at: time + 8)
      script.begin(1, at: time + 9)
    }
    script.end(1, .nothing, at: 100)
    if fails { script.fail(1, "Unlucky", at: 101, ring: 1) }
    return script
  }

  @Test(
    "G1: children that are cancelled at the end of their scopes, and broken off by it, are found")
  func undone() throws {
    for catches in [false, true] {
      let found = try dropped(3, catches: catches).findings()
      #expect(found.map(\.kind) == [.partial])
      #expect(found.first?.place == .stack(7) && found.first?.count == 3)
    }
    #expect(try dropped(3, awaitsFirst: true, catches: true).findings().isEmpty)
    #expect(try dropped(1).findings().isEmpty)
    #expect(try dropped(3, awaitsFirst: true).findings().isEmpty)
    // A scope that ends by an error leaves what it has begun.
    #expect(try dropped(3, fails: true).findings().filter { $0.kind == .partial }.isEmpty)
  }

  @Test("G1: a child that is awaited, heeds its cancellation, or is of another kind is no problem")
  func healthy() throws {
    #expect(try script(cancels: false, until: 400).findings().isEmpty)
    #expect(try script(until: 60).findings().isEmpty)
    #expect(try script(.groupChild, until: 400).findings().isEmpty)
  }
}
