import Testing
import VarveReactive

@Suite struct EventTests {
  private let all: [Event<Int, TestFailure>] = [
    .value(1), .failed(TestFailure()), .completed, .interrupted,
  ]

  /// Compiles without a default because there are exactly these cases, and there will be.
  private func name(of event: Event<Int, TestFailure>) -> String {
    switch event {
    case .value: "value"
    case .failed: "failed"
    case .completed: "completed"
    case .interrupted: "interrupted"
    }
  }

  @Test("E13: an event is one of four cases, and a switch over them needs no default")
  func cases() {
    #expect(all.map(name) == ["value", "failed", "completed", "interrupted"])
    #expect(all.map(\.isTerminating) == [false, true, true, true])
    #expect(all.map(\.isCompleted) == [false, false, true, false])
    #expect(all.map(\.value) == [1, nil, nil, nil])
    #expect(all.map(\.error) == [nil, TestFailure(), nil, nil])
  }

  @Test func `an event says what it is`() {
    #expect(
      all.map(\.description) == ["VALUE 1", "FAILED TestFailure()", "COMPLETED", "INTERRUPTED"])
  }

  @Test func `an event's value or failure can be transformed`() {
    #expect(
      all.map { $0.map { "<\($0)>" } } == [
        .value("<1>"), .failed(TestFailure()), .completed, .interrupted,
      ])
    #expect(
      all.map { $0.mapError { _ in OtherFailure() } } == [
        .value(1), .failed(OtherFailure()), .completed, .interrupted,
      ])
  }
}
