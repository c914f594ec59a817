import ReactiveSwiftCompatibility
import Testing

/// What is written to a property while its latest value is replayed to one new observer.
@Suite struct PropertyReplays {
  @Test("Y4: a change made inside a first value reaches an observer that was started there at once")
  func startedInside() {
    let property = MutableProperty(0)
    let seen = Atomic<[Int]>([])
    let inside = Atomic<[Int]>([])
    property.producer.take(first: 1).startWithValues { _ in
      property.producer.startWithValues { value in seen.modify { $0.append(value) } }
      property.value = 1
      inside.value = seen.value
    }
    #expect(inside.value == [0, 1])
    #expect(seen.value == [0, 1])
  }

  @Test("Y4: it reaches an observer that was there before at once, and the new one right after")
  func thereBefore() {
    let property = MutableProperty(0)
    let log = Atomic<[String]>([])
    property.signal.observeValues { value in log.modify { $0.append("other \(value)") } }
    property.producer.startWithValues { value in
      if value == 0 { property.value = 1 }
      log.modify { $0.append("new \(value)") }
    }
    #expect(log.value == ["other 1", "new 0", "new 1"])
  }

  @Test("Y4: a change made inside a change's delivery follows that delivery, for all")
  func insideChange() {
    let property = MutableProperty(0)
    let log = Atomic<[String]>([])
    property.signal.observeValues { value in log.modify { $0.append("a\(value)") } }
    property.signal.observeValues { value in
      if value == 1 { property.value = 2 }
      log.modify { $0.append("b\(value)") }
    }
    property.value = 1
    #expect(log.value == ["a1", "b1", "a2", "b2"])
  }

  @Test("Y4: through a chain of properties, as a store has it")
  func chain() {
    let parent = MutableProperty(0)
    let child = MutableProperty(0)
    let seen = Atomic<[Int]>([])
    let inside = Atomic<[[Int]]>([])
    parent.producer.map { $0 }.startWithValues { value in
      guard value == 0 else { return }
      parent.producer.startWithValues { child.value = $0 }
      child.producer.startWithValues { value in seen.modify { $0.append(value) } }
      for new in 1...2 {
        parent.value = new
        inside.modify { $0.append(seen.value + [child.value]) }
      }
    }
    #expect(inside.value == [[0, 1, 1], [0, 1, 2, 2]])
    #expect(seen.value == [0, 1, 2])
    #expect(child.value == 2)
  }
}
