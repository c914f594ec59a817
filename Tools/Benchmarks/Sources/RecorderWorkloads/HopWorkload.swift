import CVarveSystem
import Dispatch
import Foundation
import Measurement
import Varve

/// What it costs to remember where scheduled work came from.
public enum HopWorkload {
  /// Hops in a round.
  public static let hops = 200_000

  /// CPU nanoseconds of all threads for a hop to a serial queue, without its stack and with one of so
  /// many frames: batches of the one and of the other in turn, and the medians of them.
  ///
  /// The queue is held while a batch is scheduled. Else how often its thread falls asleep and is woken
  /// depends on which of the two sides is the faster, and that costs more than a hop.
  public static func hop(frames: Int) -> (without: Double, with: Double) {
    let scheduler = QueueScheduler(name: "bench")
    var costs: [[Double]] = [[], []]
    let depth = 1 + max(0, frames - framesOfHop)
    for batch in 0..<2 * hops / batchSize {
      AsyncBacktrace.isCapturing = batch % 2 == 1
      let before = CPUClock.process.now
      scheduler.queue.suspend()
      descend(depth) {
        for _ in 0..<batchSize { scheduler.schedule {} }
      }
      scheduler.queue.resume()
      scheduler.queue.sync {}
      costs[batch % 2].append(Double(CPUClock.process.now - before) / Double(batchSize))
    }
    AsyncBacktrace.isCapturing = false
    return (costs[0].median, costs[1].median)
  }

  private static let batchSize = 1_000

  /// How many frames are kept of a hop that is scheduled like there, one call down.
  private static let framesOfHop: Int = {
    AsyncBacktrace.isCapturing = true
    defer { AsyncBacktrace.isCapturing = false }
    let scheduler = QueueScheduler(name: "frames")
    descend(1) {
      for _ in 0..<1 { scheduler.schedule {} }
    }
    scheduler.queue.sync {}
    // The stack is a new one, and the latest.
    return Int(vv_stack_find(vv_stack_kept())?.pointee.count ?? 0)
  }()

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

  /// CPU nanoseconds of finding the number of a stack of a task in which so many functions await each
  /// other; 0 where that cannot be walked.
  public static func awaits(functions: Int) -> Double {
    let (done, took) = (DispatchSemaphore(value: 0), Figure())
    Task.detached {
      // Walking is learned when a task asks for its backtrace.
      _ = AsyncBacktrace.current
      await awaited(functions - 1) {
        let rounds = 1_000_000
        let before = CPUClock.thread.now
        var last: UInt32 = 0
        for _ in 0..<rounds { last = vv_stack_capture() }
        took.value = Double(CPUClock.thread.now - before) / Double(rounds)
        if (vv_stack_find(last)?.pointee.count ?? 0) < functions { took.value = 0 }
      }
      done.signal()
    }
    done.wait()
    return took.value
  }

  private final class Figure: @unchecked Sendable {
    // Safety: written by a task, read when it has signalled its end.
    var value = 0.0
  }

  @inline(never)
  private static func awaited(_ functions: Int, _ body: @Sendable () -> Void) async {
    if functions > 0 { await awaited(functions - 1, body) } else { body() }
  }

  /// Bytes of memory that hops need while they wait.
  ///
  /// - Parameter parent: whether they are scheduled by work that was itself scheduled.
  public static func bytesPending(capturing: Bool, parent: Bool) -> Double {
    AsyncBacktrace.isCapturing = capturing
    defer { AsyncBacktrace.isCapturing = false }
    let (scheduler, outer) = (QueueScheduler(name: "pending"), QueueScheduler(name: "outer"))
    // Not the first use of anything.
    scheduler.queue.sync {}
    scheduler.queue.suspend()
    let figure = Figure()
    let put: @Sendable () -> Void = {
      giveFreeMemoryBack()
      let before = residentBytes
      for _ in 0..<hops { scheduler.schedule {} }
      figure.value = Double(residentBytes - before) / Double(hops)
    }
    if parent { outer.schedule(put) } else { put() }
    outer.queue.sync {}
    scheduler.queue.resume()
    scheduler.queue.sync {}
    return figure.value
  }

  /// What a loop of hops leaves behind.
  public struct Loop: Sendable {
    /// Hops that were made.
    public var hops = 3_000_000
    /// Bytes of nodes that are kept for use again.
    public var nodeBytes = 0
    /// Resident memory that was added, in bytes.
    public var residentBytes = 0
    /// Segments of the last hop's backtrace.
    public var segments = 0
    /// Whether it says that there were more.
    public var isCut = false
  }

  /// Runs a loop of hops that captures backtraces, each hop scheduled by the one before, from stacks of
  /// several kinds in turn.
  public static func loop() -> Loop {
    AsyncBacktrace.isCapturing = true
    defer { AsyncBacktrace.isCapturing = false }
    let turns = Turns()
    turns.take(1_000)
    turns.done.wait()
    let (nodes, resident) = (vv_hop_nodes(), residentBytes)
    var loop = Loop()
    turns.take(loop.hops)
    turns.done.wait()
    loop.nodeBytes = Int(vv_hop_nodes() - nodes) * Int(vv_hop_bytes())
    loop.residentBytes = residentBytes - resident
    (loop.segments, loop.isCut) = (turns.last?.segments.count ?? 0, turns.last?.isCut ?? false)
    return loop
  }

  /// Turns that schedule each other.
  private final class Turns: @unchecked Sendable {
    // Safety: `last` is written by the last turn, and read when it has signalled its end.
    let scheduler = QueueScheduler(name: "loop")
    let done = DispatchSemaphore(value: 0)
    var last: AsyncBacktrace?

    func take(_ left: Int) {
      if left == 0 {
        last = AsyncBacktrace.current
        done.signal()
      } else {
        descend(1 + left % 3) { scheduler.schedule { self.take(left - 1) } }
      }
    }
  }

  /// So that what is used next is counted anew.
  private static func giveFreeMemoryBack() {
    guard let symbol = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "malloc_trim") else { return }
    _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
  }

  private static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, 128, file) != nil else { return 0 }
    let numbers = String(decoding: text.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
      .split(separator: " ")
    return (numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0) * Int(getpagesize())
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
