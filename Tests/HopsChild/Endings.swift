import Dispatch
import Foundation
import Varve

/// Work that does not come back.
enum Endings {
  /// Runs `last` after two hops, as what a value's observer does.
  static func run(_ last: @escaping @Sendable () -> Void) {
    let (numbers, input) = Signal<Int, Never>.pipe(named: "numbers")
    let (first, second) = (QueueScheduler(name: "first"), QueueScheduler(name: "second"))
    numbers.observe(on: first).observeValues { _ in passOn(to: second, last) }
    pressKey(input)
    // What never runs: the queue is busy for good.
    while !isBusy.isRaised { usleep(1_000) }
    leaveWaiting(on: second)
    // A signal may wake it.
    withExtendedLifetime(input) {
      while true { sleep(1) }
    }
  }

  private static let isBusy = Mark()

  @inline(never)
  private static func pressKey(_ input: Signal<Int, Never>.Observer) { input.send(value: 1) }

  @inline(never)
  private static func passOn(to scheduler: QueueScheduler, _ last: @escaping @Sendable () -> Void) {
    scheduler.schedule {
      isBusy.raise()
      usleep(50_000)
      last()
    }
  }

  @inline(never)
  private static func leaveWaiting(on scheduler: QueueScheduler) { scheduler.schedule {} }

  @inline(never)
  static func fail() {
    let pointer = UnsafeMutablePointer<Int>(bitPattern: 16)
    pointer?.pointee = 1
  }

  @inline(never)
  static func giveUp() { fatalError("gave up") }

  /// Deeper than any stack.
  @inline(never)
  static func descend(_ depth: Int) -> Int { depth < 0 ? depth : descend(depth + 1) + depth }

  @inline(never)
  static func die() { kill(getpid(), SIGKILL) }

  @inline(never)
  static func hang() {
    FileHandle.standardOutput.write(Data("hanging\n".utf8))
    while true { usleep(100_000) }
  }
}

/// Raised once.
final class Mark: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func raise() { semaphore.signal() }

  var isRaised: Bool {
    guard semaphore.wait(timeout: .now()) == .success else { return false }
    semaphore.signal()
    return true
  }
}
