import Foundation
import ReactiveSwiftCompatibility
import Testing

private struct User: Equatable {
  var id = 1
  var name = "a"
  var isAdmin = false
  var score: Int? = 3
  var friends: SignalProducer<Int, Never> { SignalProducer([id, id + 1]) }
}

/// What clients pass by its name, or by a key path, where a closure is asked for.
@Suite struct ReferenceForms {
  @Test("P3: initialisers, cases and methods are passed by their names")
  func names() {
    let numbers = SignalProducer<Int, Never>([1, 2])
    var log: [String] = []
    numbers.map(Property.init(value:)).startWithValues { log.append("\($0.value)") }
    numbers.map(MutableProperty.init).startWithValues { log.append("\($0.value)") }
    numbers.map(Result<Int, TestError>.success).startWithValues { log.append("\($0)") }
    numbers.map(Signal<Int, Never>.Event.value).startWithValues { log.append("\($0)") }
    numbers.map(Optional.some).skipNil().startWithValues { log.append("\($0)") }
    numbers.map(String.init(describing:)).startWithValues { log.append($0) }
    numbers.flatMap(.concat, SignalProducer<Int, Never>.init(value:)).startWithValues {
      log.append("\($0)")
    }
    #expect(
      log == [
        "1", "2", "1", "2", "success(1)", "success(2)", "VALUE 1", "VALUE 2", "1", "2", "1", "2",
        "1", "2",
      ])
    let (signal, observer) = Signal<Int, Never>.pipe()
    let (copy, copying) = Signal<Int, Never>.pipe()
    log = []
    copy.observe { log.append("\($0)") }
    signal.observeValues(copying.send(value:))
    signal.observeCompleted(copying.sendCompleted)
    [1, 2].forEach(observer.send(value:))
    observer.sendCompleted()
    #expect(log == ["VALUE 1", "VALUE 2", "COMPLETED"])
    let pipes = (0..<3).map { _ in Signal<Int, Never>.pipe() }
    var merged: [Int] = []
    Signal.merge(pipes.map(\.output)).observeValues { merged.append($0) }
    for (index, pipe) in pipes.enumerated() { pipe.input.send(value: index) }
    #expect(merged == [0, 1, 2])
  }

  @Test("P3: key paths are taken for closures by every operator")
  func keyPaths() {
    let users = SignalProducer<User, Never>([User(), User(id: 2, name: "b", isAdmin: true)])
    #expect(users.filter(\.isAdmin).map(\.name).collect().single() == .success(["b"]))
    #expect(users.compactMap(\.score).collect().single() == .success([3, 3]))
    #expect(users.flatMap(.concat, \.friends).collect().single() == .success([1, 2, 2, 3]))
    #expect(users.uniqueValues(\.id).map(\.id).collect().single() == .success([1, 2]))
    #expect(users.skip(while: \.name.isEmpty).map(\.id).first() == .success(1))
    let (id, name, isAdmin) = (MutableProperty(1), MutableProperty("a"), MutableProperty(true))
    #expect(Property.combineLatest(id, name, isAdmin, id).map(\.1).value == "a")
    #expect(SignalProducer.zip(id, name, isAdmin, id).map(\.2).first() == .success(true))
    #expect(id.zip(with: name).map(\.0).value == 1)
  }

  @Test("H5: dates far away are dates")
  func distantDates() {
    let queue = QueueScheduler(name: "distant")
    let work = queue.schedule(after: .distantFuture) { Issue.record("the future has come") }
    work?.dispose()
    let scheduler = TestScheduler()
    var ran = 0
    scheduler.schedule(after: .distantPast) { ran += 1 }
    scheduler.advance()
    #expect(ran == 1)
    scheduler.schedule(after: .distantFuture) { ran += 1 }
    scheduler.advance(to: .distantFuture)
    #expect(ran == 2)
  }
}
