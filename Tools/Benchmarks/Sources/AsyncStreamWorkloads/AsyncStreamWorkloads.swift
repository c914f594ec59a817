import Dispatch
import Measurement

/// The reactive workloads that fit it, written for the language's own `AsyncStream`: one task
/// yields, another iterates. Nothing else about it can be compared: it has one consumer.
public enum AsyncStreamWorkloads {
  /// Every workload.
  public static var all: [Workload] { [a, b, g] }

  static var a: Workload {
    workload(.a) { sequence, tally in for await value in sequence { tally.add(value) } }
  }

  static var b: Workload {
    workload(.b) { sequence, tally in
      for await value in sequence.map({ $0 &+ 1 }).filter({ $0 & 7 != 0 }).map({ $0 &* 3 }) {
        tally.add(value)
      }
    }
  }

  /// What `a` does is a hop.
  static var g: Workload {
    workload(.g) { sequence, tally in for await value in sequence { tally.add(value) } }
  }

  private static func workload(
    _ plan: WorkloadPlan, _ consume: @escaping @Sendable (AsyncStream<Int>, Tally) async -> Void
  ) -> Workload {
    Workload(plan, clock: .process) {
      let tally = Tally()
      return { events in
        let (stream, input) = AsyncStream<Int>.makeStream()
        let finished = DispatchSemaphore(value: 0)
        Task.detached {
          await consume(stream, tally)
          finished.signal()
        }
        Task.detached {
          for value in 0..<events { input.yield(value) }
          input.finish()
        }
        finished.wait()
        return tally.total
      }
    }
  }
}
