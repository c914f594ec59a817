import Dispatch
import Foundation

/// What Foundation promises of operations.
extension Promises {
  static var ofOperations: [(String, () -> Bool)] {
    [
      ("operations", operations), ("operations that depend", dependencies),
      ("cancelled operations", cancelledOperations), ("operations' limit", limit),
      ("barrier of operations", barrierOfOperations),
    ]
  }

  fileprivate static func operations() -> Bool {
    let (queue, log) = (OperationQueue(), Log())
    queue.maxConcurrentOperationCount = 1
    for index in 0..<50 { queue.addOperation { log.note(index) } }
    queue.waitUntilAllOperationsAreFinished()
    return log.all == Array(0..<50)
  }

  fileprivate static func dependencies() -> Bool {
    let (queue, log) = (OperationQueue(), Log())
    queue.maxConcurrentOperationCount = 4
    let operations = (0..<20).map { index in BlockOperation { log.note(index) } }
    for (index, operation) in operations.enumerated().dropFirst() {
      operation.addDependency(operations[index - 1])
    }
    for operation in operations.reversed() { queue.addOperation(operation) }
    queue.waitUntilAllOperationsAreFinished()
    return log.all == Array(0..<20)
  }

  /// One that was cancelled does not run, and is completed all the same.
  fileprivate static func cancelledOperations() -> Bool {
    let (queue, log, done) = (OperationQueue(), Log(), DispatchSemaphore(value: 0))
    queue.isSuspended = true
    let operation = BlockOperation { log.note(1) }
    operation.completionBlock = {
      log.note(2)
      done.signal()
    }
    queue.addOperation(operation)
    queue.addOperation { log.note(3) }
    operation.cancel()
    queue.isSuspended = false
    queue.waitUntilAllOperationsAreFinished()
    done.wait()
    return Set(log.all) == [2, 3] && log.all.count == 2 && operation.isFinished
  }

  fileprivate static func limit() -> Bool {
    let (queue, log) = (OperationQueue(), Log())
    queue.maxConcurrentOperationCount = 2
    let slots = DispatchSemaphore(value: 2)
    for _ in 0..<40 {
      queue.addOperation {
        // With two at a time, nobody has to wait here.
        log.note(slots.wait(timeout: .now()) == .success ? 1 : 0)
        usleep(200)
        slots.signal()
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    return log.all == Array(repeating: 1, count: 40)
  }

  fileprivate static func barrierOfOperations() -> Bool {
    let (queue, log) = (OperationQueue(), Log())
    queue.maxConcurrentOperationCount = 4
    for _ in 0..<10 {
      queue.addOperation {
        usleep(300)
        log.note(1)
      }
    }
    queue.addBarrierBlock { log.note(2) }
    for _ in 0..<10 { queue.addOperation { log.note(3) } }
    queue.waitUntilAllOperationsAreFinished()
    return log.all.firstIndex(of: 2) == 10 && log.all.count == 21
  }
}
