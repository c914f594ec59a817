internal import CVarveSystem
internal import VarveProbe

/// What another thread was delivering when it left work to the thread that goes on with it.
struct ForeignCause {
  private let cause: UInt64
  /// The recording that knows the cause.
  private let session: UInt32

  /// The calling thread.
  static var thread: UInt { UInt(bitPattern: vv_thread_current()) }

  /// Keeps what the calling thread is delivering. Nil if it is the thread that goes on, or nothing is
  /// recorded.
  init?(leftTo thread: UInt) {
    guard Gate.isOpen, Self.thread != thread else { return nil }
    cause = Records.currentCause
    session = Gate.word >> 8
  }

  /// Goes on, because of that and not of what the calling thread does otherwise.
  func attribute(_ body: () -> Void) {
    Records.attribute(to: cause, in: session, by: 0, body)
  }
}
