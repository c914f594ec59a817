import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

@Suite struct ChannelTests {
  private func observe<Value, Failure>(
    _ producer: SignalProducer<Value, Failure>
  ) -> Box<[String]> {
    let log = Box<[String]>([])
    producer.start { event in log.append("\(event)") }
    return log
  }

  @Test("L7: what goes in at one end comes out at the other, never back to the sender")
  func throughput() {
    let channel = Channel<Int, Never>()
    let leading = observe(channel.leading.producer)
    let following = observe(channel.following.producer)
    channel.leading.send(value: 1)
    channel.following.send(value: 2)
    #expect(following.value == ["VALUE 1"])
    #expect(leading.value == ["VALUE 2"])
  }

  @Test("L7: the following end gets the latest value when it is observed, the leading one does not")
  func latest() {
    let channel = Channel<Int, Never>()
    channel.leading.send(value: 1)
    channel.leading.send(value: 2)
    channel.following.send(value: 3)
    #expect(observe(channel.following.producer).value == ["VALUE 2"])
    #expect(observe(channel.leading.producer).value == [])
  }

  @Test("L7: an end that is sent in at either side ends both")
  func ends() {
    for sideIndex in 0..<2 {
      let channel = Channel<Int, TestFailure>()
      let logs = [observe(channel.leading.producer), observe(channel.following.producer)]
      [channel.leading, channel.following][sideIndex].send(error: TestFailure())
      for log in logs { #expect(log.value == ["FAILED TestFailure()"]) }
    }
  }

  @Test("L7: an end is a signal, too")
  func signal() {
    let channel = Channel<Int, Never>()
    let log = Box<[Int]>([])
    channel.leading.send(value: 1)
    channel.following.signal.observeValues { log.append($0) }
    channel.leading.send(value: 2)
    #expect(log.value == [2])
    #expect(channel.leading.description.hasPrefix("leadingTerminal@ChannelTests.swift:"))
  }

  @Test("S4: when nobody can send in at one side, the other is interrupted")
  func dropped() {
    var channel: Channel<Int, Never>? = Channel()
    let leading = channel?.leading
    let log = observe(leading?.producer ?? .empty)
    channel = nil
    #expect(log.value == ["INTERRUPTED"])
    withExtendedLifetime((channel, leading)) {}
  }
}

@Suite struct TwoWayBindingTests {
  @Test("L7: the left property takes the right one's value, then each takes the other's changes")
  func binding() {
    let left = MutableProperty(1)
    let right = MutableProperty(2)
    left <~> right
    #expect(left.value == 2)
    left.value = 3
    #expect(right.value == 3)
    right.value = 4
    #expect(left.value == 4)
  }

  @Test("L7: a change comes to the other side once, and does not come back")
  func once() {
    let left = MutableProperty(0)
    let right = MutableProperty(0)
    left <~> right
    let log = Box<[String]>([])
    left.signal.observeValues { log.append("left \($0)") }
    right.signal.observeValues { log.append("right \($0)") }
    left.value = 1
    right.value = 2
    // The binding observes first: the other side changes before later observers hear of it.
    #expect(log.value.sorted() == ["left 1", "left 2", "right 1", "right 2"])
    #expect(log.value.count == 4)
  }

  @Test("L7: the binding ends with its disposable, and with either property")
  func ending() {
    let left = MutableProperty(0)
    var right: MutableProperty<Int>? = MutableProperty(0)
    weak let weakRight = right
    let binding = right.map { left <~> $0 }
    right?.value = 1
    binding?.dispose()
    right?.value = 2
    #expect(left.value == 1)
    if let right { left <~> right }
    #expect(left.value == 2)
    right = nil
    #expect(weakRight == nil)
    left.value = 5
    #expect(left.value == 5)
    withExtendedLifetime(right) {}
  }

  @Test("L7: a change inside an observer comes to the other side as well")
  func recursive() {
    let left = MutableProperty(0)
    let right = MutableProperty(0)
    left <~> right
    right.signal.observeValues { if $0 == 1 { right.value = 10 } }
    left.value = 1
    #expect(right.value == 10)
    #expect(left.value == 10)
    left.signal.observeValues { if $0 == 2 { left.value = 20 } }
    left.value = 2
    #expect(left.value == 20)
    #expect(right.value == 20)
  }

  @Test("L7: changes on both sides at once neither hang nor leave the sides apart")
  func racing() {
    for _ in 0..<100 {
      let left = MutableProperty(0)
      let right = MutableProperty(0)
      left <~> right
      onThreads(4) { index in
        for count in 1...50 {
          if index % 2 == 0 {
            left.value = index * 100 + count
          } else {
            right.value = index * 100 + count
          }
        }
      }
      #expect(left.value == right.value)
    }
  }

  @Test("L7: several properties are bound in a row")
  func row() {
    let properties = (0..<4).map { MutableProperty($0) }
    for index in 1..<4 { properties[index] <~> properties[index - 1] }
    #expect(properties.map(\.value) == [0, 0, 0, 0])
    properties[2].value = 7
    #expect(properties.map(\.value) == [7, 7, 7, 7])
  }
}
