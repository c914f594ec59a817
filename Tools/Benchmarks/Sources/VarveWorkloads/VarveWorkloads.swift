import Dispatch
import Measurement
import Varve

/// The reactive workloads, written for Varve.
public enum VarveWorkloads {
  /// Every workload.
  public static var all: [Workload] { [a, b, c, d, e, f, g, hMerge, hLatest, i, j, k] }

  static var a: Workload {
    Workload(.a) {
      let (output, input) = Signal<Int, Never>.pipe()
      let tally = Tally()
      output.observeValues { tally.add($0) }
      return { events in
        for value in 0..<events { input.send(value: value) }
        return tally.total
      }
    }
  }

  static var b: Workload {
    Workload(.b) {
      let (output, input) = Signal<Int, Never>.pipe()
      let tally = Tally()
      output.map { $0 &+ 1 }.filter { $0 & 7 != 0 }.map { $0 &* 3 }
        .observeValues { tally.add($0) }
      return { events in
        for value in 0..<events { input.send(value: value) }
        return tally.total
      }
    }
  }

  static var c: Workload {
    Workload(.c) {
      let tally = Tally()
      return { events in
        SignalProducer<Int, Never>(0..<events)
          .map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }.take(first: events)
          .startWithValues { tally.add($0) }
        return tally.total
      }
    }
  }

  static var d: Workload {
    Workload(.d) {
      let pipes = (0..<WorkloadPlan.inputs).map { _ in Signal<Int, Never>.pipe() }
      let tally = Tally()
      Signal.merge(pipes.map(\.output)).observeValues { tally.add($0) }
      let inputs = pipes.map(\.input)
      return { events in
        for value in 0..<events { inputs[value % WorkloadPlan.inputs].send(value: value) }
        return tally.total
      }
    }
  }

  static var e: Workload {
    Workload(.e) {
      let (left, leftInput) = Signal<Int, Never>.pipe()
      let (right, rightInput) = Signal<Int, Never>.pipe()
      let tally = Tally()
      Signal.combineLatest(left, right).observeValues { first, second in
        tally.add(first &+ second)
      }
      return { events in
        for value in 0..<events / 2 {
          leftInput.send(value: value)
          rightInput.send(value: value)
        }
        return tally.total
      }
    }
  }

  static var f: Workload {
    Workload(.f) {
      let property = MutableProperty(0)
      let tally = Tally()
      property.producer.startWithValues { tally.add($0) }
      return { events in
        for value in 0..<events { property.value = value }
        return tally.total
      }
    }
  }

  static var g: Workload {
    Workload(.g) {
      let (output, input) = Signal<Int, Never>.pipe()
      let tally = Tally()
      let queue = DispatchQueue(label: "workload")
      let arrived = DispatchSemaphore(value: 0)
      output.observe(on: QueueScheduler(targeting: queue)).observeValues { value in
        if value < 0 { arrived.signal() } else { tally.add(value) }
      }
      return { events in
        for value in 0..<events { input.send(value: value) }
        input.send(value: -1)
        arrived.wait()
        return tally.total
      }
    }
  }

  static var hMerge: Workload { flatMap(.hMerge, .merge) }

  static var hLatest: Workload { flatMap(.hLatest, .latest) }

  static var i: Workload {
    Workload(.i) {
      let (output, input) = Signal<Int, Never>.pipe()
      let tally = Tally()
      output.observeValues { tally.add($0) }
      return { events in
        for _ in 0..<events { output.observeValues { tally.add($0) }?.dispose() }
        input.send(value: events)
        return tally.total
      }
    }
  }

  static var j: Workload {
    Workload(.j) {
      let (output, input) = Signal<Int, Never>.pipe()
      let tally = Tally()
      for _ in 0..<WorkloadPlan.crowd { output.observeValues { tally.add($0) } }
      return { events in
        for value in 0..<events { input.send(value: value) }
        return tally.total
      }
    }
  }

  static var k: Workload {
    Workload(.k) {
      let (left, leftInput) = Signal<Int, Never>.pipe()
      let (right, rightInput) = Signal<Int, Never>.pipe()
      let tally = Tally()
      Signal.zip(left, right).observeValues { first, second in tally.add(first &+ second) }
      return { events in
        for value in 0..<events / 2 {
          leftInput.send(value: value)
          rightInput.send(value: value)
        }
        return tally.total
      }
    }
  }

  private static func flatMap(_ plan: WorkloadPlan, _ strategy: FlattenStrategy) -> Workload {
    Workload(plan) {
      let (output, input) = Signal<Int, Never>.pipe()
      let tally = Tally()
      output.flatMap(strategy) { SignalProducer<Int, Never>(value: $0) }
        .observeValues { tally.add($0) }
      return { events in
        for value in 0..<events { input.send(value: value) }
        return tally.total
      }
    }
  }
}
