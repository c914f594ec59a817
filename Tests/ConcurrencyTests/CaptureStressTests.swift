import CVarveSystem
import Dispatch
import Testing
import VarveReactive
import VarveTestRig

/// Backtraces are switched on and off while everything hops: for ThreadSanitizer, too.
@Suite("Stress of captured hops", .serialized)
struct CaptureStressTests {
  /// A scheduler that is not the library's.
  private final class Own: Scheduler {
    private let queue = DispatchQueue(label: "own")

    func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)? {
      queue.async(execute: action)
      return nil
    }
  }

  /// Chains of hops that wander over queues, tasks and timers.
  private final class Wanderers: Sendable {
    private let queues = (0..<6).map { QueueScheduler(name: "wander \($0)") }
    private let own = Own()
    let ended = Box(0)

    func wander(_ left: Int, _ seed: Int) {
      if left == 0 { return ended.change { $0 += 1 } }
      let next = queues[(left &* 7 &+ seed) % 6]
      if left % 97 == 0 { _ = AsyncBacktrace.current }
      if left % 13 == 0 { for queue in queues { queue.schedule {} } }
      if left % 31 == 0 {
        let timer = next.schedule(after: .milliseconds(1)) {}
        if left % 2 == 0 { timer?.dispose() }
      }
      guard left % 250 == 0 else {
        next.schedule { self.wander(left - 1, seed) }
        return
      }
      SignalProducer<Int, Never> {
        await Task.yield()
        return AsyncBacktrace.current.isCut ? 1 : 0
      }
      .start(on: next).observe(on: own)
      .startWithValues { _ in next.schedule { self.wander(left - 1, seed) } }
    }
  }

  @Test("B5: hops of all kinds end well while backtraces are switched on and off, and bound memory")
  func switching() async {
    let wanderers = Wanderers()
    let chains = 6
    let nodes = await GateTurn.take {
      let before = vv_hop_nodes()
      for seed in 0..<chains { wanderers.wander(1_000, seed) }
      var turn = 0
      while wanderers.ended.value < chains {
        AsyncBacktrace.isCapturing = turn % 3 != 0
        turn += 1
        await Task.yield()
      }
      AsyncBacktrace.isCapturing = false
      return vv_hop_nodes() - before
    }
    #expect(nodes < 80_000)
    #expect(AsyncBacktrace.current.segments.count == 1)
  }
}
