import Foundation
import Testing
import VarveReactive
import VarveTestRig

@Suite struct MutablePropertyTests {
  @Test(
    "Y1: the value is read without waiting for a delivery that another thread is in the middle of")
  func read() {
    let property = MutableProperty(0)
    let doubled = property.map { $0 * 2 }
    let (isInside, mayLeave) = (Flag(), Flag())
    property.signal.observeValues { _ in
      isInside.raise()
      mayLeave.wait()
    }
    let done = Flag()
    inBackground {
      property.value = 1
      done.raise()
    }
    isInside.wait()
    // Would hang if reading waited.
    #expect(property.value == 1)
    #expect([0, 2].contains(doubled.value))
    mayLeave.raise()
    done.wait()
  }

  @Test("Y2: between the replayed value and the changes none is lost and none comes twice")
  func replay() {
    let property = MutableProperty(0)
    let hasEnded = Flag()
    let gaps = Box<[[Int]]>([])
    onThreads(3) { index in
      if index == 0 {
        for value in 1...3_000 { property.value = value }
        return hasEnded.raise()
      }
      while !hasEnded.isRaised {
        let seen = Box<[Int]>([])
        let run = property.producer.startWithValues { seen.append($0) }
        relax()
        run.dispose()
        let values = seen.value
        guard let first = values.first else {
          gaps.append([])
          continue
        }
        if values != Array(first..<(first + values.count)) { gaps.append(values) }
      }
    }
    #expect(gaps.value == [])
  }

  @Test("Y3: an observer that reads the value gets what it was sent")
  func visible() {
    let property = MutableProperty(0)
    let pairs = Box<[[Int]]>([])
    property.signal.observeValues { pairs.append([$0, property.value]) }
    let doubled = property.map { $0 * 2 }
    property.signal.observeValues { pairs.append([$0 * 2, doubled.value]) }
    property.value = 1
    property.modify { $0 += 1 }
    property.swap(3)
    #expect(pairs.value.filter { $0[0] == $0[1] }.count == 6)
    #expect(pairs.value.count == 6)
  }

  @Test("Y3, Y7: among threads, what an observer reads is what it was sent")
  func visibleAmongThreads() {
    let property = MutableProperty(0)
    let (count, wrong) = (Box(0), Box(0))
    property.signal.observeValues { value in
      count.change { $0 += 1 }
      if property.value != value { wrong.change { $0 += 1 } }
    }
    onThreads(4) { _ in
      for _ in 0..<250 { property.modify { $0 += 1 } }
    }
    #expect(property.value == 1_000)
    #expect(count.value == 1_000)
    #expect(wrong.value == 0)
  }

  @Test(
    "Y4: a write in an observer takes effect at once and is delivered next, to all in one order")
  func recursion() {
    let property = MutableProperty(0)
    let (first, second) = (Box<[Int]>([]), Box<[Int]>([]))
    let inside = Box<[Int]>([])
    property.signal.observeValues { value in
      first.append(value)
      if value == 1 {
        property.value = 2
        inside.append(property.value)
        property.modify { $0 += 1 }
        inside.append(property.value)
        inside.append(property.swap(4))
      }
    }
    property.signal.observeValues { second.append($0) }
    property.value = 1
    #expect(inside.value == [2, 3, 3])
    #expect(first.value == [1, 2, 3, 4])
    #expect(second.value == [1, 2, 3, 4])
  }

  @Test("Y4: a trace marks a write in an observer as recursive, and knows what led to it")
  func recursionInTrace() async throws {
    let property = MutableProperty(0, named: "recursive property")
    property.signal.observeValues { if $0 < 3 { property.value = $0 + 1 } }
    let rig = await ProbeRig.record { _ in property.value = 1 }
    let stream = try #require(rig.stream(named: "recursive property")).id
    let values = rig.records(.value, of: stream)
    let marks = rig.records(.log, of: stream)
    #expect(values.map(\.word) == [1, 2, 3])
    #expect(
      marks.map(\.text) == ["changed inside its own delivery", "changed inside its own delivery"])
    #expect(marks.map(\.causes) == [[values[0].reference], [values[1].reference]])
    #expect(values.map(\.causes) == [[], [values[0].reference], [values[1].reference]])
  }

  @Test("Y4: an observer may observe the property anew, and sees each change once")
  func recursiveObservation() {
    let property = MutableProperty("a")
    let inner = Box<[String]>([])
    let isFirst = Box(true)
    property.signal.observeValues { _ in
      guard
        isFirst.change({ first in
          defer { first = false }; return first
        })
      else { return }
      property.producer.startWithValues { inner.append($0) }
      property.value = "c"
    }
    property.value = "b"
    #expect(inner.value == ["b", "c"])
  }

  @Test("Y1: a reader that came during a `modify` inside a delivery does not wait for that")
  func readerDuringNestedModify() {
    let property = MutableProperty(0)
    let (isChanging, hasRead) = (Flag(), Flag())
    let gotThrough = Box<Bool?>(nil)
    property.signal.observeValues { value in
      guard value == 1 else { return }
      property.modify { value in
        isChanging.raise()
        // Long enough for the reader to fall asleep.
        for _ in 0..<2_000 { relax() }
        value = 2
      }
      gotThrough.set(hasRead.isRaisedInTime())
    }
    inBackground {
      isChanging.wait()
      _ = property.value
      hasRead.raise()
    }
    onThreads(1) { _ in property.value = 1 }
    #expect(gotThrough.value == true)
    #expect(property.value == 2)
  }

  @Test("P2: starts of an ended property's producer do not wait for each other")
  func startsAfterTheEnd() {
    var source: MutableProperty<Int>? = MutableProperty(1)
    let derived = source!.map { $0 + 1 }
    source = nil
    let (isDone, gotThrough) = (Flag(), Box<Bool?>(nil))
    onThreads(1) { _ in
      derived.producer.startWithValues { _ in
        inBackground { derived.producer.startWithCompleted { isDone.raise() } }
        gotThrough.set(isDone.isRaisedInTime())
      }
    }
    #expect(gotThrough.value == true)
  }

  @Test("Y6: a property that goes away completes its signal and its producer")
  func end() {
    var property: MutableProperty<Int>? = MutableProperty(1)
    let log = Box<[String]>([])
    property?.signal.observe { log.append("signal \($0)") }
    property?.producer.start { log.append("producer \($0)") }
    property?.lifetime.observeEnded { log.append("lifetime") }
    property = nil
    #expect(
      log.value == ["producer VALUE 1", "signal COMPLETED", "producer COMPLETED", "lifetime"])
  }

  @Test("Y7: `modify`, `swap` and `withValue` are one step each")
  func atomic() {
    let property = MutableProperty([0])
    let torn = Box(0)
    onThreads(4) { index in
      for round in 0..<200 {
        switch index {
        case 0: property.modify { $0.append($0.count) }
        case 1: property.swap(Array(0...(round % 7)))
        default:
          property.withValue { before in
            relax()
            if before != Array(0..<before.count) { torn.change { $0 += 1 } }
          }
        }
      }
    }
    #expect(torn.value == 0)
    let property2 = MutableProperty(0)
    let taken = Box<[Int]>([])
    onThreads(4) { index in
      for round in 1...100 { taken.append(property2.swap(index * 100 + round)) }
    }
    // Each value that was put in comes out once.
    #expect((taken.value + [property2.value]).sorted() == Array(0...400))
  }
}
