import Foundation

/// Runs `body` on so many threads at once and returns when all have returned.
public func onThreads(
  _ count: Int, file: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (_ index: Int) -> Void
) {
  let ready = DispatchGroup()
  let done = DispatchGroup()
  let start = DispatchSemaphore(value: 0)
  for index in 0..<count {
    ready.enter()
    done.enter()
    Thread {
      ready.leave()
      start.wait()
      body(index)
      done.leave()
    }.start()
  }
  // They start together, or short bodies would run one after the other.
  ready.waitInTime(file: file, line: line)
  for _ in 0..<count { start.signal() }
  done.waitInTime(file: file, line: line)
}

/// Runs `body` on a fresh thread, which is nobody's, and returns what it returned.
public func onFreshThread<Result: Sendable>(
  file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable () -> Result
) -> Result? {
  let result = Box<Result?>(nil)
  onThreads(1, file: file, line: line) { _ in result.set(body()) }
  return result.value
}

/// Runs `body` on a thread of its own and does not wait for it.
public func inBackground(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }

/// Runs `body` on a thread with so little stack that whatever recurses overflows soon, and waits.
public func onSmallStack(
  file: StaticString = #fileID, line: UInt = #line, _ body: @escaping @Sendable () -> Void
) {
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    body()
    done.signal()
  }
  thread.stackSize = 256 * 1024
  thread.start()
  done.waitInTime(file: file, line: line)
}
