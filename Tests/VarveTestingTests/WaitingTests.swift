import Testing
import VarveReactive
import VarveTesting

@Suite struct WaitingTests {
  @Test func `expectEventually waits until the condition holds`() async throws {
    let property = MutableProperty(0)
    Task { for value in 1...3 { property.value = value } }
    try await expectEventually(within: .seconds(600)) { property.value == 3 }
  }

  @Test func `what does not happen in time is named with the place`() async {
    let error = await #expect(throws: WaitedInVain.self) {
      try await expectEventually(within: .milliseconds(5)) { false }
    }
    #expect(error?.description.contains("VarveTestingTests/WaitingTests.swift:") == true)
  }

  @Test func `asynchronousFirst waits for the first value`() async throws {
    let producer = SignalProducer<Int, Never> {
      await Task.yield()
      return 7
    }
    #expect(try await producer.asynchronousFirst(within: .seconds(600)) == 7)
    #expect(
      try await SignalProducer<Int, Never>.empty.asynchronousFirst(within: .seconds(600)) == nil)
  }

  @Test func `asynchronousFirst disposes of work that takes too long, and names it`() async {
    let isDisposed = MutableProperty(false)
    let error = await #expect(throws: WaitedInVain.self) {
      try await SignalProducer<Int, Never>.never.on(disposed: { isDisposed.value = true })
        .named("slow").asynchronousFirst(within: .milliseconds(5))
    }
    #expect(error?.description.contains("a value of 'slow'") == true)
    #expect(isDisposed.value)
  }

  @Test func `asynchronouslyWaitUntilCompleted waits for the end, and throws the failure`()
    async throws
  {
    struct Broken: Error {}
    try await SignalProducer<Int, Never>([1, 2]).asynchronouslyWaitUntilCompleted(
      within: .seconds(600))
    await #expect(throws: Broken.self) {
      try await SignalProducer<Int, Broken>(error: Broken()).asynchronouslyWaitUntilCompleted(
        within: .seconds(600))
    }
  }
}
