import Measurement
import Varve

/// The reactive workloads, written for Varve.
public enum VarveWorkloads {
  /// Every workload.
  public static var all: [Workload] { [a, b, f, j] }

  static var a: Workload {
    Workload(.a) {
      let (output, input) = Signal<Int, Never>.pipe()
      let tally = Tally()
      output.observeValues { tally.add($0) }
      return {
        for value in 0..<WorkloadPlan.a.events { input.send(value: value) }
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
      return {
        for value in 0..<WorkloadPlan.b.events { input.send(value: value) }
        return tally.total
      }
    }
  }

  static var f: Workload {
    Workload(.f) {
      let property = MutableProperty(0)
      let tally = Tally()
      property.producer.startWithValues { tally.add($0) }
      return {
        for value in 0..<WorkloadPlan.f.events { property.value = value }
        return tally.total
      }
    }
  }

  static var j: Workload {
    Workload(.j) {
      let (output, input) = Signal<Int, Never>.pipe()
      let tally = Tally()
      for _ in 0..<WorkloadPlan.crowd { output.observeValues { tally.add($0) } }
      return {
        for value in 0..<WorkloadPlan.j.events { input.send(value: value) }
        return tally.total
      }
    }
  }
}
