import Dispatch
import Measurement
import OpenCombine
import OpenCombineDispatch

/// The reactive workloads, written for OpenCombine; it has no `combineLatest`.
public enum OpenCombineWorkloads {
  /// Every workload.
  public static var all: [Workload] { [a, b, c, d, f, g, hMerge, hLatest, i, j, k] }

  static var a: Workload {
    Workload(.a) {
      let subject = PassthroughSubject<Int, Never>()
      let tally = Tally()
      let observation = subject.sink { tally.add($0) }
      return { events in
        for value in 0..<events { subject.send(value) }
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }

  static var b: Workload {
    Workload(.b) {
      let subject = PassthroughSubject<Int, Never>()
      let tally = Tally()
      let observation = subject.map { $0 &+ 1 }.filter { $0 & 7 != 0 }.map { $0 &* 3 }
        .sink { tally.add($0) }
      return { events in
        for value in 0..<events { subject.send(value) }
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }

  static var c: Workload {
    Workload(.c) {
      let tally = Tally()
      return { events in
        let run = (0..<events).publisher
          .map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }.prefix(events)
          .sink { tally.add($0) }
        return withExtendedLifetime(run) { tally.total }
      }
    }
  }

  /// Its only way to merge many: an outer stream of them, flattened.
  static var d: Workload {
    Workload(.d) {
      let subjects = (0..<WorkloadPlan.inputs).map { _ in PassthroughSubject<Int, Never>() }
      let tally = Tally()
      let observation = subjects.publisher.flatMap { $0 }.sink { tally.add($0) }
      return { events in
        for value in 0..<events { subjects[value % WorkloadPlan.inputs].send(value) }
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }

  static var f: Workload {
    Workload(.f) {
      let subject = CurrentValueSubject<Int, Never>(0)
      let tally = Tally()
      let observation = subject.sink { tally.add($0) }
      return { events in
        for value in 0..<events { subject.value = value }
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }

  static var g: Workload {
    Workload(.g) {
      let subject = PassthroughSubject<Int, Never>()
      let tally = Tally()
      let queue = DispatchQueue(label: "workload")
      let arrived = DispatchSemaphore(value: 0)
      let observation = subject.receive(on: queue.ocombine).sink { value in
        if value < 0 { arrived.signal() } else { tally.add(value) }
      }
      return { events in
        for value in 0..<events { subject.send(value) }
        subject.send(-1)
        arrived.wait()
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }

  static var hMerge: Workload {
    Workload(.hMerge) {
      let subject = PassthroughSubject<Int, Never>()
      let tally = Tally()
      let observation = subject.flatMap { Just($0) }.sink { tally.add($0) }
      return { events in
        for value in 0..<events { subject.send(value) }
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }

  static var hLatest: Workload {
    Workload(.hLatest) {
      let subject = PassthroughSubject<Int, Never>()
      let tally = Tally()
      let observation = subject.map { Just($0) }.switchToLatest().sink { tally.add($0) }
      return { events in
        for value in 0..<events { subject.send(value) }
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }

  static var i: Workload {
    Workload(.i) {
      let subject = PassthroughSubject<Int, Never>()
      let tally = Tally()
      let observation = subject.sink { tally.add($0) }
      return { events in
        for _ in 0..<events { subject.sink { tally.add($0) }.cancel() }
        subject.send(events)
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }

  static var j: Workload {
    Workload(.j) {
      let subject = PassthroughSubject<Int, Never>()
      let tally = Tally()
      let observations = (0..<WorkloadPlan.crowd).map { _ in subject.sink { tally.add($0) } }
      return { events in
        for value in 0..<events { subject.send(value) }
        return withExtendedLifetime(observations) { tally.total }
      }
    }
  }

  static var k: Workload {
    Workload(.k) {
      let left = PassthroughSubject<Int, Never>()
      let right = PassthroughSubject<Int, Never>()
      let tally = Tally()
      let observation = left.zip(right).sink { first, second in tally.add(first &+ second) }
      return { events in
        for value in 0..<events / 2 {
          left.send(value)
          right.send(value)
        }
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }
}
