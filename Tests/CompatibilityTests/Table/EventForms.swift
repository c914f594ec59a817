import Foundation
import ReactiveSwiftCompatibility
import Testing

enum TestError: Error, Equatable {
  case first
  case second(String)
}

@Suite struct EventForms {
  typealias NumberEvent = Signal<Int, TestError>.Event

  @Test("E1: an event is taken apart by its cases and by its accessors")
  func accessors() {
    let events: [NumberEvent] = [.value(1), .failed(.first), .completed, .interrupted]
    #expect(events.map { $0.value } == [1, nil, nil, nil])
    #expect(events.map { $0.error } == [nil, .first, nil, nil])
    #expect(events.map { $0.isTerminating } == [false, true, true, true])
    #expect(events.map { $0.isCompleted } == [false, false, true, false])
    var told: [String] = []
    for event in events {
      switch event {
      case let .value(value): told.append("\(value)")
      case let .failed(error): told.append("\(error)")
      case .completed: told.append("completed")
      case .interrupted: told.append("interrupted")
      }
    }
    #expect(told == ["1", "first", "completed", "interrupted"])
    if case .value(let value) = events[0] { #expect(value == 1) } else { Issue.record("no value") }
  }

  @Test("E1: events can be compared, mapped and printed")
  func conformances() {
    #expect(NumberEvent.value(1) == .value(1))
    #expect(NumberEvent.value(1) != .value(2))
    #expect(NumberEvent.failed(.second("x")) == .failed(.second("x")))
    #expect(NumberEvent.completed != .interrupted)
    #expect(NumberEvent.value(20).map { "\($0 + 1)" } == .value("21"))
    let mapped = NumberEvent.failed(.first).mapError { _ in TestError.second("y") }
    #expect(mapped == .failed(.second("y")))
    #expect(Signal<Int, Never>.Event.value(1).description == "VALUE 1")
    #expect("\(NumberEvent.completed)" == "COMPLETED")
    #expect(NumberEvent.value(4).event == .value(4))
  }

  @Test("E1: an observer is made of one closure or of four")
  func observers() {
    var log: [String] = []
    let four = Signal<Int, TestError>.Observer(
      value: { log.append("value \($0)") }, failed: { log.append("failed \($0)") },
      completed: { log.append("completed") }, interrupted: { log.append("interrupted") })
    four.send(value: 1)
    four.send(.value(2))
    four.send(error: .first)
    four.sendCompleted()
    four.sendInterrupted()
    #expect(log == ["value 1", "value 2", "failed first", "completed", "interrupted"])

    var events: [NumberEvent] = []
    let action: Signal<Int, TestError>.Observer.Action = { events.append($0) }
    let one = Signal<Int, TestError>.Observer(action)
    one.send(value: 1)
    one.sendCompleted()
    #expect(events == [.value(1), .completed])
    Signal<Int, TestError>.Observer(value: { _ in }).sendCompleted()
    Signal<Int, TestError>.Observer().send(value: 1)
  }

  @Test("O1: an own subclass of the base class of observers takes what a signal sends")
  func subclass() {
    final class Totals<E: Swift.Error>: Observer<Int, E> {
      var sum = 0
      var end: String?
      override func receive(_ value: Int) { sum += value }
      override func terminate(_ termination: Termination<E>) {
        switch termination {
        case .completed: end = "completed"
        case .failed(let error): end = "\(error)"
        case .interrupted: end = "interrupted"
        }
      }
    }
    let totals = Totals<TestError>()
    let observer = Signal<Int, TestError>.Observer { event in
      switch event {
      case let .value(value): totals.receive(value)
      case let .failed(error): totals.terminate(.failed(error))
      case .completed: totals.terminate(.completed)
      case .interrupted: totals.terminate(.interrupted)
      }
    }
    SignalProducer<Int, TestError>([1, 2, 3]).start(observer)
    #expect(totals.sum == 6)
    #expect(totals.end == "completed")
  }
}
