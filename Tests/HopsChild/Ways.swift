import Dispatch
import Foundation
import Varve

/// Ways by which work gets elsewhere that the library knows nothing of. Each goes from a function
/// with a name to a backtrace.
enum Ways {
  private static let queue = DispatchQueue(label: "ways")

  static func printAll() {
    let ways: [(String, (@escaping @Sendable () -> Void) -> Void)] = [
      ("async", viaAsync), ("async of an item", viaItem), ("after", viaAfter),
      ("barrier", viaBarrier), ("group", viaGroup), ("notify", viaNotify), ("timer", viaTimer),
      ("operation", viaOperation), ("task", viaTask), ("sleeping task", viaSleepingTask),
      ("two hops", viaTwoHops), ("apply", viaApply),
    ]
    for (name, way) in ways {
      let (done, text) = (DispatchSemaphore(value: 0), Found())
      way {
        text.set(AsyncBacktrace.current)
        done.signal()
      }
      done.wait()
      print("=== \(name)\n\(text.backtrace?.description ?? "")")
    }
  }

  final class Found: @unchecked Sendable {
    // Safety: reached only while `lock` is held.
    private let lock = NSLock()
    private var first: AsyncBacktrace?

    func set(_ backtrace: AsyncBacktrace) {
      lock.withLock { if first == nil { first = backtrace } }
    }
    var backtrace: AsyncBacktrace? { lock.withLock { first } }
  }

  @inline(never)
  private static func viaAsync(_ end: @escaping @Sendable () -> Void) { queue.async { end() } }

  @inline(never)
  private static func viaItem(_ end: @escaping @Sendable () -> Void) {
    queue.async(execute: DispatchWorkItem { end() })
  }

  @inline(never)
  private static func viaAfter(_ end: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .milliseconds(1)) { end() }
  }

  @inline(never)
  private static func viaBarrier(_ end: @escaping @Sendable () -> Void) {
    queue.async(flags: .barrier) { end() }
  }

  @inline(never)
  private static func viaGroup(_ end: @escaping @Sendable () -> Void) {
    queue.async(group: DispatchGroup()) { end() }
  }

  @inline(never)
  private static func viaNotify(_ end: @escaping @Sendable () -> Void) {
    DispatchGroup().notify(queue: queue) { end() }
  }

  @inline(never)
  private static func viaTimer(_ end: @escaping @Sendable () -> Void) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler {
      timer.cancel()
      end()
    }
    timer.schedule(deadline: .now())
    timer.activate()
  }

  @inline(never)
  private static func viaOperation(_ end: @escaping @Sendable () -> Void) {
    OperationQueue().addOperation { end() }
  }

  @inline(never)
  private static func viaTask(_ end: @escaping @Sendable () -> Void) { Task.detached { end() } }

  @inline(never)
  private static func viaSleepingTask(_ end: @escaping @Sendable () -> Void) {
    Task.detached {
      try? await Task.sleep(nanoseconds: 1_000_000)
      end()
    }
  }

  @inline(never)
  private static func viaTwoHops(_ end: @escaping @Sendable () -> Void) {
    queue.async { thenTask(end) }
  }

  @inline(never)
  private static func thenTask(_ end: @escaping @Sendable () -> Void) { Task.detached { end() } }

  @inline(never)
  private static func viaApply(_ end: @escaping @Sendable () -> Void) {
    let caller = pthread_self()
    let (ended, other) = (Mark(), Mark())
    DispatchQueue.concurrentPerform(iterations: 64) { _ in
      if pthread_equal(pthread_self(), caller) != 0 {
        // Leaves a turn for another thread, if there is one.
        for _ in 0..<200 where !other.isRaised { usleep(1_000) }
      } else if !other.isRaised {
        other.raise()
        end()
        ended.raise()
      }
    }
    if !ended.isRaised { end() }
  }
}
