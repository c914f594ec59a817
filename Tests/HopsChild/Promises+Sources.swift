import Dispatch
import Foundation

/// What Dispatch promises of sources, and of input and output.
extension Promises {
  static var ofSources: [(String, () -> Bool)] {
    [
      ("timer", timer), ("suspended timer", suspendedTimer), ("source's data", coalescing),
      ("source's handlers", handlers), ("input and output", channel),
    ]
  }

  fileprivate static func timer() -> Bool {
    let (queue, log, done) = (queue("timer"), Log(), DispatchSemaphore(value: 0))
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler {
      log.note(1)
      if log.all.count == 3 { timer.cancel() }
    }
    timer.setCancelHandler { done.signal() }
    timer.schedule(deadline: .now(), repeating: .milliseconds(1))
    timer.activate()
    done.wait()
    timer.setEventHandler(handler: nil)
    return log.all == [1, 1, 1]
  }

  fileprivate static func suspendedTimer() -> Bool {
    let (queue, log) = (queue("suspended timer"), Log())
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { log.note(1) }
    timer.schedule(deadline: .now())
    timer.activate()
    timer.suspend()
    queue.sync {}
    let before = log.all.count
    usleep(3_000)
    queue.sync {}
    let isSilent = log.all.count == before
    timer.resume()
    for _ in 0..<10_000 where log.all.isEmpty { usleep(1_000) }
    timer.cancel()
    return isSilent && log.all == [1]
  }

  /// Events that come while the queue is busy are told as one.
  fileprivate static func coalescing() -> Bool {
    let (queue, log, done) = (queue("coalescing"), Log(), DispatchSemaphore(value: 0))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler {
      log.note(Int(source.data))
      done.signal()
    }
    source.activate()
    queue.suspend()
    for _ in 0..<10 { source.add(data: 1) }
    queue.resume()
    done.wait()
    source.cancel()
    queue.sync {}
    return log.all == [10]
  }

  /// Registered, then read, then cancelled: each once, in order, on the source's queue.
  fileprivate static func handlers() -> Bool {
    let (queue, log, done) = (queue("handlers"), Log(), DispatchSemaphore(value: 0))
    let key = DispatchSpecificKey<Int>()
    queue.setSpecific(key: key, value: 1)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return false }
    let (reading, writing) = (ends[0], ends[1])
    let source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: queue)
    source.setRegistrationHandler { log.note(1 * (DispatchQueue.getSpecific(key: key) ?? 0)) }
    source.setEventHandler {
      var byte: UInt8 = 0
      log.note(read(reading, &byte, 1) == 1 ? Int(byte) : 0)
      source.cancel()
    }
    source.setCancelHandler {
      close(reading)
      log.note(3 * (DispatchQueue.getSpecific(key: key) ?? 0))
      done.signal()
    }
    source.activate()
    var byte: UInt8 = 2
    let isWritten = write(writing, &byte, 1) == 1
    done.wait()
    close(writing)
    return isWritten && log.all == [1, 2, 3]
  }

  fileprivate static func channel() -> Bool {
    let (queue, log, done) = (queue("channel"), Log(), DispatchSemaphore(value: 0))
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return false }
    let (reading, writing) = (ends[0], ends[1])
    var bytes: [UInt8] = [7, 8, 9]
    let isWritten = write(writing, &bytes, 3) == 3
    close(writing)
    let channel = DispatchIO(type: .stream, fileDescriptor: reading, queue: queue) { _ in
      close(reading)
      done.signal()
    }
    channel.read(offset: 0, length: 3, queue: queue) { isDone, data, _ in
      for byte in data ?? DispatchData.empty { log.note(Int(byte)) }
      if isDone { channel.close() }
    }
    done.wait()
    return isWritten && log.all == [7, 8, 9]
  }
}
