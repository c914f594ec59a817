import Testing
import VarveReactive
import VarveTestRig

@Suite struct GroupByTests {
  @Test func `groupBy sends a group for each new key, which has the key's values`() {
    let log = Box<[String]>([])
    SignalProducer<Int, Never>([1, 2, 3, 4, 5]).groupBy { $0 % 2 }.startWithValues { group in
      log.append("\(group)")
      group.signal.observe { event in log.append("\(group.key): \(event)") }
    }
    #expect(
      log.value == [
        "Group(1)", "1: VALUE 1", "Group(0)", "0: VALUE 2", "1: VALUE 3", "0: VALUE 4",
        "1: VALUE 5", "1: COMPLETED", "0: COMPLETED",
      ])
  }

  @Test func `groups can be transformed, and flattened`() {
    let lengths = marbles(["a", "bb", "c", "dd"]) {
      $0.groupBy({ $0.count }, transform: { $0.uppercased() })
        .flatMap(.merge) { group in group.signal.map { "\(group.key)\($0)" } }
    }
    #expect(lengths == "1A 2BB 1C 2DD |")
  }

  @Test("E3: a failure ends all groups, too")
  func failure() {
    let log = Box<[String]>([])
    let (signal, input) = Signal<Int, TestFailure>.pipe()
    signal.groupBy { $0 }.observe { event in
      log.append("\(event)")
      event.value?.signal.observe { log.append("inner \($0)") }
    }
    input.send(value: 1)
    input.send(error: TestFailure())
    #expect(
      log.value == [
        "VALUE Group(1)", "inner VALUE 1", "inner FAILED TestFailure()", "FAILED TestFailure()",
      ])
  }

  @Test("P4: disposing of the start interrupts the groups")
  func disposal() {
    let log = Box<[Event<Int, Never>]>([])
    let (signal, input) = Signal<Int, Never>.pipe()
    let run = signal.producer.groupBy { $0 }.startWithValues { group in
      group.signal.observe { log.append($0) }
    }
    input.send(value: 1)
    run.dispose()
    #expect(log.value == [.value(1), .interrupted])
  }

  @Test("S4: a group that nobody held or observed still gets its key's later values")
  func lateObserver() {
    let groups = Box<[Group<Int, Int, Never>]>([])
    let (signal, input) = Signal<Int, Never>.pipe()
    signal.groupBy { _ in 0 }.observeValues { groups.append($0) }
    input.send(value: 1)
    let log = Box<[Int]>([])
    groups.value.first?.signal.observeValues { log.append($0) }
    input.send(value: 2)
    #expect(log.value == [2])
  }

  @Test("N2: a group is named after the stream that it is of, without its key")
  func names() {
    let names = Box<[String]>([])
    SignalProducer<String, Never>(["secret"]).named("words").groupBy { $0 }.startWithValues {
      names.append($0.signal.description)
    }
    #expect(names.value == ["words.groupBy(_:).group"])
  }
}
