import Measurement
import OpenCombine

/// The reactive workloads, written for OpenCombine.
public enum OpenCombineWorkloads {
  /// Every workload.
  public static var all: [Workload] { [a, b, f, j] }

  static var a: Workload {
    Workload(.a) {
      let subject = PassthroughSubject<Int, Never>()
      let tally = Tally()
      let observation = subject.sink { tally.add($0) }
      return {
        for value in 0..<WorkloadPlan.a.events { subject.send(value) }
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
      return {
        for value in 0..<WorkloadPlan.b.events { subject.send(value) }
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }

  static var f: Workload {
    Workload(.f) {
      let subject = CurrentValueSubject<Int, Never>(0)
      let tally = Tally()
      let observation = subject.sink { tally.add($0) }
      return {
        for value in 0..<WorkloadPlan.f.events { subject.value = value }
        return withExtendedLifetime(observation) { tally.total }
      }
    }
  }

  static var j: Workload {
    Workload(.j) {
      let subject = PassthroughSubject<Int, Never>()
      let tally = Tally()
      let observations = (0..<WorkloadPlan.crowd).map { _ in subject.sink { tally.add($0) } }
      return {
        for value in 0..<WorkloadPlan.j.events { subject.send(value) }
        return withExtendedLifetime(observations) { tally.total }
      }
    }
  }
}
