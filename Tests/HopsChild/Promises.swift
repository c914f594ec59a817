import Dispatch
import Foundation
import Varve

/// What Dispatch promises of work: it must hold, whoever follows the work.
enum Promises {
  /// Checks all of them and says which are broken.
  static func check() -> Bool {
    let own: [(String, () -> Bool)] = [
      ("barrier", barrier), ("barrier item", barrierItem), ("cancel", cancel),
      ("cancel while waiting", cancelWaiting), ("wait", wait), ("wait in time", waitInTime),
      ("notify", notify), ("group", group), ("group of calls", groupEnd), ("order", order),
      ("quality", quality), ("twice", twice), ("after", after), ("apply", apply),
      ("specific", specific), ("once released", release), ("released in time", releaseInTime),
      ("notify of what was cancelled", notifyCancelled), ("inactive", inactive),
    ]
    let checks = own + ofSources + ofOperations + ofTasks
    var isFine = true
    for (name, holds) in checks where !holds() {
      print("broken: \(name)")
      isFine = false
    }
    if isFine { print("all \(checks.count) hold") }
    return isFine
  }

  static func queue(_ name: String, concurrent: Bool = false) -> DispatchQueue {
    DispatchQueue(label: "promises.\(name)", attributes: concurrent ? .concurrent : [])
  }

  /// What ran, in order.
  final class Log: @unchecked Sendable {
    // Safety: reached only while `lock` is held.
    private let lock = NSLock()
    private var entries: [Int] = []

    func note(_ entry: Int) { lock.withLock { entries.append(entry) } }
    var all: [Int] { lock.withLock { entries } }
  }

  private static func barrier() -> Bool {
    let (queue, log) = (queue("barrier", concurrent: true), Log())
    for _ in 0..<20 {
      queue.async {
        usleep(500); log.note(1)
      }
    }
    queue.async(flags: .barrier) { log.note(2) }
    for _ in 0..<20 { queue.async { log.note(3) } }
    queue.sync(flags: .barrier) {}
    return log.all.firstIndex(of: 2) == 20 && log.all.count == 41
  }

  private static func barrierItem() -> Bool {
    let (queue, log) = (queue("barrier item", concurrent: true), Log())
    for _ in 0..<20 {
      queue.async {
        usleep(500); log.note(1)
      }
    }
    queue.async(execute: DispatchWorkItem(flags: .barrier) { log.note(2) })
    for _ in 0..<20 { queue.async { log.note(3) } }
    queue.sync(flags: .barrier) {}
    return log.all.firstIndex(of: 2) == 20 && log.all.count == 41
  }

  private static func cancel() -> Bool {
    let (queue, log) = (queue("cancel"), Log())
    let item = DispatchWorkItem { log.note(1) }
    item.cancel()
    queue.async(execute: item)
    queue.sync {}
    return log.all.isEmpty && item.isCancelled
  }

  private static func cancelWaiting() -> Bool {
    let (queue, log) = (queue("cancel waiting"), Log())
    queue.suspend()
    let item = DispatchWorkItem { log.note(1) }
    queue.async(execute: item)
    queue.asyncAfter(deadline: .now(), execute: item)
    item.cancel()
    queue.resume()
    queue.sync {}
    return log.all.isEmpty
  }

  private static func wait() -> Bool {
    let log = Log()
    let item = DispatchWorkItem {
      usleep(2_000)
      log.note(1)
    }
    queue("wait").async(execute: item)
    item.wait()
    return log.all == [1]
  }

  private static func waitInTime() -> Bool {
    let queue = queue("wait in time")
    queue.suspend()
    let item = DispatchWorkItem {}
    queue.async(execute: item)
    let isLate = item.wait(timeout: .now() + .milliseconds(5)) == .timedOut
    queue.resume()
    return isLate && item.wait(timeout: .now() + .seconds(60)) == .success
  }

  private static func notify() -> Bool {
    let (queue, log, done) = (queue("notify"), Log(), DispatchSemaphore(value: 0))
    let item = DispatchWorkItem { log.note(1) }
    item.notify(queue: queue) {
      log.note(2)
      done.signal()
    }
    queue.async(execute: item)
    done.wait()
    return log.all == [1, 2]
  }

  private static func group() -> Bool {
    let (queue, log) = (queue("group", concurrent: true), Log())
    let (group, done) = (DispatchGroup(), DispatchSemaphore(value: 0))
    for _ in 0..<20 {
      queue.async(group: group) {
        usleep(300); log.note(1)
      }
    }
    queue.async(group: group, execute: DispatchWorkItem { log.note(1) })
    group.notify(queue: queue) {
      log.note(2)
      done.signal()
    }
    group.wait()
    done.wait()
    return log.all == Array(repeating: 1, count: 21) + [2]
  }

  private static func groupEnd() -> Bool {
    let (queue, group, log) = (queue("group end"), DispatchGroup(), Log())
    group.enter()
    queue.async {
      log.note(1)
      group.leave()
    }
    return group.wait(timeout: .now() + .seconds(60)) == .success && log.all == [1]
  }

  private static func order() -> Bool {
    let (queue, log) = (queue("order"), Log())
    for index in 0..<1_000 {
      if index % 3 == 0 {
        queue.async(execute: DispatchWorkItem { log.note(index) })
      } else {
        queue.async { log.note(index) }
      }
    }
    queue.sync {}
    return log.all == Array(0..<1_000)
  }

  private static func quality() -> Bool {
    let item = DispatchWorkItem(qos: .userInitiated, flags: .enforceQoS) {}
    let queue = DispatchQueue(label: "promises.quality", qos: .utility)
    queue.async(execute: item)
    item.wait()
    return queue.qos == .utility
  }

  private static func twice() -> Bool {
    let (queue, log) = (queue("twice"), Log())
    let action: @Sendable @convention(block) () -> Void = { log.note(1) }
    for _ in 0..<3 { queue.async(execute: action) }
    queue.sync {}
    let item = DispatchWorkItem { log.note(2) }
    item.perform()
    queue.async(execute: item)
    queue.sync {}
    return log.all == [1, 1, 1, 2, 2]
  }

  private static func after() -> Bool {
    let (queue, done) = (queue("after"), DispatchSemaphore(value: 0))
    let start = DispatchTime.now()
    queue.asyncAfter(deadline: start + .milliseconds(20)) { done.signal() }
    done.wait()
    return DispatchTime.now() >= start + .milliseconds(20)
  }

  private static func apply() -> Bool {
    let log = Log()
    DispatchQueue.concurrentPerform(iterations: 500) { log.note($0) }
    return log.all.sorted() == Array(0..<500)
  }

  private static func specific() -> Bool {
    let (queue, key, log) = (queue("specific"), DispatchSpecificKey<Int>(), Log())
    queue.setSpecific(key: key, value: 7)
    queue.async { log.note(DispatchQueue.getSpecific(key: key) ?? 0) }
    queue.sync {}
    return log.all == [7] && Schedulers.current === QueueScheduler.main
  }

  /// What an action held goes when it has run, and when it can no longer run.
  private static func release() -> Bool {
    final class Held: Sendable {}
    weak var ran: Held?
    weak var dropped: Held?
    let queue = queue("release")
    do {
      let (one, two) = (Held(), Held())
      (ran, dropped) = (one, two)
      queue.async { withExtendedLifetime(one) {} }
      _ = DispatchWorkItem { withExtendedLifetime(two) {} }
    }
    queue.sync {}
    for _ in 0..<1_000 where ran != nil { usleep(1_000) }
    return ran == nil && dropped == nil
  }

  /// What an action held goes before the next one begins.
  private static func releaseInTime() -> Bool {
    final class Held: Sendable {}
    let log = Log()
    let queue = DispatchQueue(label: "promises.release in time", autoreleaseFrequency: .workItem)
    queue.suspend()
    weak var weakly: Held?
    do {
      let held = Held()
      weakly = held
      queue.async { withExtendedLifetime(held) {} }
    }
    let look = UncheckedLook { weakly == nil }
    queue.async { log.note(look.body() ? 1 : 0) }
    queue.resume()
    queue.sync {}
    return log.all == [1]
  }

  private struct UncheckedLook: @unchecked Sendable {
    // Safety: what it looks at does not change any more.
    let body: () -> Bool
  }

  private static func notifyCancelled() -> Bool {
    let (queue, log, done) = (queue("notify cancelled"), Log(), DispatchSemaphore(value: 0))
    let item = DispatchWorkItem { log.note(1) }
    item.notify(queue: queue) {
      log.note(2)
      done.signal()
    }
    item.cancel()
    queue.async(execute: item)
    done.wait()
    return log.all == [2]
  }

  private static func inactive() -> Bool {
    let log = Log()
    let queue = DispatchQueue(label: "promises.inactive", attributes: .initiallyInactive)
    queue.async { log.note(1) }
    usleep(2_000)
    let isEmpty = log.all.isEmpty
    queue.activate()
    queue.sync {}
    return isEmpty && log.all == [1]
  }
}
