import CVarveSystem
import Dispatch
import Measurement
import Varve

/// What it costs to remember where scheduled work came from.
public enum HopWorkload {
  /// Hops in a round.
  public static let hops = 200_000

  /// CPU nanoseconds of all threads for a hop to a serial queue, scheduled from so many frames down.
  ///
  /// The queue is held while a batch of hops is scheduled. Else how often its thread falls asleep and
  /// is woken depends on which of the two sides is the faster, and that costs more than a hop.
  public static func hop(frames: Int, capturing: Bool) -> Double {
    AsyncBacktrace.isCapturing = capturing
    defer { AsyncBacktrace.isCapturing = false }
    let scheduler = QueueScheduler(name: "bench")
    let batch = 1_000
    let before = CPUClock.process.now
    for _ in 0..<hops / batch {
      scheduler.queue.suspend()
      descend(frames) {
        for _ in 0..<batch { scheduler.schedule {} }
      }
      scheduler.queue.resume()
      scheduler.queue.sync {}
    }
    return Double(CPUClock.process.now - before) / Double(hops)
  }

  /// CPU nanoseconds of a walk over so many frames.
  public static func walk(frames: Int) -> Double {
    var addresses = [UInt](repeating: 0, count: frames)
    var walked: Int32 = 0
    return timed(frames) {
      addresses.withUnsafeMutableBufferPointer {
        walked &+= vv_stack_walk($0.baseAddress, nil, Int32(frames))
      }
    }
  }

  /// CPU nanoseconds of a walk over so many frames, 32 at most, and of finding the stack's number.
  public static func intern(frames: Int) -> Double {
    var last: UInt32 = 0
    let took = timed(frames) { last = vv_stack_capture() }
    return last == 0 ? 0 : took
  }

  /// Bytes that are remembered for a hop that waits.
  public static func bytesPending() -> Double {
    AsyncBacktrace.isCapturing = true
    defer { AsyncBacktrace.isCapturing = false }
    let scheduler = QueueScheduler(name: "pending")
    scheduler.queue.suspend()
    let before = vv_hop_nodes()
    for _ in 0..<hops { scheduler.schedule {} }
    let nodes = vv_hop_nodes() - before
    scheduler.queue.resume()
    scheduler.queue.sync {}
    return Double(nodes * vv_hop_bytes()) / Double(hops)
  }

  private static func timed(_ frames: Int, _ body: () -> Void) -> Double {
    let rounds = 2_000_000
    var took: UInt64 = 0
    descend(frames) {
      let before = CPUClock.thread.now
      for _ in 0..<rounds { body() }
      took = CPUClock.thread.now - before
    }
    return Double(took) / Double(rounds)
  }

  @inline(never)
  private static func descend(_ frames: Int, _ body: () -> Void) {
    if frames > 1 { descend(frames - 1, body) } else { body() }
    // Not the last thing, or the call would be a jump and leave no frame.
    withExtendedLifetime(frames) { vv_keep_frame() }
  }
}
