internal import Dispatch

/// Passes one full buffer after the other to a sink, on another thread, while the next one is
/// filled.
///
/// At most one buffer is under way: whoever fills them waits for it before it passes the next one,
/// and learns then whether it was written. No thread is started before the first buffer is full.
///
/// Safety: all but the sink belongs to the thread that fills the buffers; `failure` is the sink's
/// from `write` until `wait` has returned, which the semaphore orders.
final class WriteBehind: @unchecked Sendable {
  private let sink: ByteOutput.Sink
  private let queue = DispatchQueue(label: "Varve output")
  private let isWritten = DispatchSemaphore(value: 0)
  private var isUnderWay = false
  private var failure: Int32?

  init(_ sink: @escaping ByteOutput.Sink) { self.sink = sink }

  /// Passes bytes on, which stay where they are until `wait` has returned. None may be under way.
  func write(_ bytes: UnsafeRawBufferPointer) {
    isUnderWay = true
    // Safety: the bytes are left alone until the semaphore is signalled.
    nonisolated(unsafe) let bytes = bytes
    queue.async {
      self.failure = self.sink(bytes)
      self.isWritten.signal()
    }
  }

  /// Waits until nothing is under way; returns the error of what was.
  func wait() -> Int32? {
    guard isUnderWay else { return nil }
    isWritten.wait()
    isUnderWay = false
    return failure
  }
}
