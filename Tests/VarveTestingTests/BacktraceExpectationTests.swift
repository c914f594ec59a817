import Testing
import VarveReactive
import VarveTestRig
import VarveTesting

/// Expectations of asynchronous backtraces.
@Suite("Expected backtraces", .serialized)
struct BacktraceExpectationTests {
  private final class Found: @unchecked Sendable {
    // Safety: written and read on one thread.
    var backtrace: AsyncBacktrace?
  }

  @inline(never)
  private func press(_ clock: TestScheduler, _ found: Found) {
    clock.schedule(after: .seconds(1)) { answer(clock, found) }
  }

  @inline(never)
  private func answer(_ clock: TestScheduler, _ found: Found) {
    clock.schedule(after: .seconds(1)) { found.backtrace = AsyncBacktrace.current }
  }

  private func backtrace() async throws -> AsyncBacktrace {
    // The switch is the whole process's.
    try await GateTurn.take {
      AsyncBacktrace.isCapturing = true
      defer { AsyncBacktrace.isCapturing = false }
      let (clock, found) = (TestScheduler(), Found())
      press(clock, found)
      clock.advance(by: .seconds(5))
      return try #require(found.backtrace)
    }
  }

  @Test("B1: a chain that is as expected passes")
  func holds() async throws {
    try expect(try await backtrace(), leadsBackThrough: "answer", "press")
    try expect(try await backtrace(), leadsBackThrough: "press")
  }

  @Test("B1: a chain in another order, or without a hop, fails and is shown")
  func fails() async throws {
    let backtrace = try await backtrace()
    // The closure that answers was made by the function that pressed, and bears its name, too; behind
    // that there is only who pressed.
    #expect {
      try expect(backtrace, leadsBackThrough: "press", "answer")
    } throws: { error in
      let missing = error as? MissingHop
      return missing?.function == "answer"
        && missing?.description.contains("scheduled on TestScheduler") == true
    }
    #expect(throws: MissingHop.self) { try expect(backtrace, leadsBackThrough: "nobody") }
  }
}
