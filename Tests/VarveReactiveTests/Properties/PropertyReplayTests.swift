import Testing
import VarveReactive
import VarveTestRig

/// The latest value of a property on its way to one new observer.
@Suite struct PropertyReplayTests {
  @Test("E8, Y4: who writes meanwhile does not wait; the thread that replays delivers what came")
  func otherThread() {
    let property = MutableProperty(0)
    let others = Box<[Int]>([])
    property.signal.observeValues { others.append($0) }
    let log = Box<[String]>([])
    property.producer.start { event in
      if event.value == 0 {
        onThreads(1) { _ in for value in 1...3 { property.value = value } }
        log.append("others \(others.value)")
      }
      log.append("\(event)")
    }
    #expect(log.value == ["others [1, 2, 3]", "VALUE 0", "VALUE 1", "VALUE 2", "VALUE 3"])
    property.value = 4
    #expect(log.value.last == "VALUE 4")
  }

  @Test("E8, Y4: the end that comes meanwhile follows what came before it")
  func endMeanwhile() {
    let property = Box<MutableProperty<Int>?>(MutableProperty(0))
    let log = Box<[String]>([])
    property.value?.producer.start { event in
      if event.value == 0 {
        onThreads(1) { _ in
          property.value?.value = 1
          property.set(nil)
        }
      }
      log.append("\(event)")
    }
    #expect(log.value == ["VALUE 0", "VALUE 1", "COMPLETED"])
  }

  @Test("Y4: what comes while something is caught up with follows that")
  func catchingUp() {
    let property = MutableProperty(0)
    let log = Box<[Int]>([])
    property.producer.startWithValues { value in
      if value < 5 { property.value = value + 1 }
      log.append(value)
    }
    #expect(log.value == [0, 1, 2, 3, 4, 5])
  }

  @Test("P4, Y4: a start that is disposed of meanwhile gets nothing of what came")
  func disposedMeanwhile() {
    let property = MutableProperty(0)
    let log = Box<[String]>([])
    property.producer.startWithSignal { signal, run in
      signal.observe { event in
        if event.value == 0 {
          property.value = 1
          run.dispose()
          property.value = 2
        }
        log.append("\(event)")
      }
    }
    #expect(log.value == ["VALUE 0", "INTERRUPTED"])
  }

  @Test("Y2: among writers, new observers get every change after their first value, in order")
  func noneLost() {
    let property = MutableProperty(0)
    let seen = Box<[[Int]]>([])
    onThreads(3) { index in
      for _ in 0..<400 {
        if index == 0 {
          property.modify { $0 += 1 }
        } else {
          let values = Box<[Int]>([])
          let run = property.producer.startWithValues { values.append($0) }
          for _ in 0..<3 { relax() }
          run.dispose()
          seen.append(values.value)
        }
      }
    }
    for values in seen.value {
      guard let first = values.first else { continue }
      #expect(values == Array(first..<(first + values.count)))
    }
    #expect(seen.value.count == 800)
  }
}
