internal import CVarveSystem
internal import VarveProbe

/// The records that streams write besides their events.
enum Records {
  /// The calling thread's writer, which is the first field of its slot.
  @inline(__always)
  static var writer: UnsafeMutablePointer<vv_writer> {
    UnsafeMutableRawPointer(vv_thread_current()).assumingMemoryBound(to: vv_writer.self)
  }

  /// Records a new subscription to a stream.
  ///
  /// - Parameters:
  ///   - fed: the stream that the subscription feeds; 0 if the observer is outside all streams.
  ///   - stack: the stack of the observing code; 0 if none was taken.
  static func subscribed(
    _ stream: StreamIdentity, subscription: UInt64, fed: UInt32, stack: UInt32 = 0, gate: UInt32
  ) {
    guard gate != 0, stream.isWanted(by: gate) else { return }
    stream.define(for: gate)
    Stacks.define(stack, for: gate)
    nameAwaited()
    RecordHead(gate: gate, kind: .subscribed, stream: stream.id, subscription: subscription)
      .emit(.stream, word: SubscriptionPayload(stream: fed, stack: stack).word, into: writer)
  }

  /// Records the end of a subscription that the trace knows of, with the stack of the code that
  /// ended it if that was not the stream itself.
  static func ended(
    _ stream: StreamIdentity, subscription: UInt64, _ reason: EndReason, gate: UInt32
  ) {
    guard gate != 0 else { return }
    stream.define(for: gate)
    let author =
      switch reason {
      case .disposed, .interrupted, .released: Self.author(for: gate)
      case .completed, .failed: UInt32(0)
      }
    // Unclaimed causes belong to a value, not to this end, which follows from another event.
    if reason == .disposed { nameBehalf() } else { writer.pointee.far_count = 0 }
    let payload = ReasonPayload(reason: reason.rawValue, stack: author)
    RecordHead(gate: gate, kind: .ended, stream: stream.id, subscription: subscription)
      .emit(.reason, word: payload.word, into: writer)
  }

  /// Returns the stack of the code responsible for what the calling thread does now: of the code
  /// that left the deferred action being performed, or the current stack. 0 if stacks are not
  /// recorded.
  private static func author(for gate: UInt32) -> UInt32 {
    let author = vv_thread_current().pointee.author
    guard author != 0, Wish(gate: gate).contains(.stacks) else { return Stacks.current(for: gate) }
    Stacks.define(author, for: gate)
    return author
  }

  /// Records that the program's own code sent the event that the last record is about. Written
  /// after that record, so that it is the event's neighbor whatever else the event leads to.
  ///
  /// - Parameter decider: the stack of the code that decided on the event; nil if that is the code
  ///   that sends it.
  @inline(never)
  static func sent(_ stream: UInt32, by decider: UInt32?, gate: UInt32) {
    let thread = vv_thread_current()!
    guard thread.pointee.bound != stream, writer.pointee.cause != 0,
      writer.pointee.cause == writer.pointee.sequence
    else { return }
    if let decider { Stacks.define(decider, for: gate) }
    let payload = HopPayload(stack: decider ?? author(for: gate), parent: thread.pointee.hop)
    RecordHead(gate: gate, kind: .sent, stream: stream, subscription: 0)
      .emit(.cause, word: payload.word, into: writer)
    // The action's author has sent this event; what follows has other authors.
    if decider == nil { thread.pointee.author = 0 }
  }

  /// Passes a value to a stream to which it is bound: it is not sent by the program's own code.
  @inline(__always)
  static func bind(to stream: UInt32, _ body: () -> Void) {
    let thread = vv_thread_current()!
    let outer = thread.pointee.bound
    thread.pointee.bound = stream
    body()
    thread.pointee.bound = outer
  }

  /// Writes a note of the library's own about a stream to the trace.
  static func mark(_ text: StaticString, about stream: StreamIdentity) {
    let gate = Gate.word
    guard gate != 0, stream.isWanted(by: gate) else { return }
    stream.define(for: gate)
    // Recalled causes belong to the value that follows.
    keepingRecalled {
      RecordHead(gate: gate, kind: .log, stream: stream.id, subscription: 0)
        .emit(.string, text: text.description, into: writer)
    }
  }

  /// Writes the library's last words to the trace, whatever else is recorded of the stream.
  static func tell(_ message: String, about stream: StreamIdentity) {
    let gate = Gate.word
    guard gate != 0 else { return }
    stream.define(for: gate)
    RecordHead(gate: gate, kind: .log, stream: stream.id, subscription: 0)
      .emit(.string, text: message, longest: 1_900, into: writer)
  }

  /// Whether a recording is running.
  @inline(__always)
  static var isRecording: Bool { Gate.isOpen }

  /// Writes a line of text about a stream to the trace.
  static func log(_ text: String, about reference: StreamReference) {
    let gate = Gate.word
    guard gate != 0 else { return }
    let stream = reference.identity
    stream.define(for: gate)
    let head = RecordHead(gate: gate, kind: .log, stream: stream.id, subscription: 0)
    nameAwaited()
    // The line may contain values that must not be in the trace.
    if stream.verdict(for: gate).wish(within: Wish(gate: gate)).contains(.withholdValues) {
      head.emit(.withheld, into: writer)
    } else {
      head.emit(.string, text: text, into: writer)
    }
  }

  /// Whether causes are kept, as they are while a recording is running.
  @inline(__always)
  static var areKept: Bool { Gate.isOpen }

  /// The cause of a value that is put aside now; 0 while no recording is running.
  @inline(__always)
  static var currentCause: UInt64 {
    guard Gate.isOpen else { return 0 }
    let reference = vv_cause_reference(writer)
    return reference != 0 ? reference : outsideCause
  }

  /// The cause of what the calling thread does outside all deliveries: a request from another
  /// thread, or what the task that runs there last received from an `await`.
  private static var outsideCause: UInt64 {
    let behalf = vv_thread_current().pointee.behalf
    return behalf != 0 || !vv_tasks_are_noted() ? behalf : vv_task_cause()
  }

  /// Lets the next record name a request from another thread, or what a task awaited, if there is
  /// no nearer cause.
  private static func nameBehalf() {
    guard writer.pointee.cause == 0, writer.pointee.far_count == 0 else { return }
    vv_cause_add_far(writer, outsideCause)
  }

  /// Notes what the current task received from an `await`: it causes what the task does next, until
  /// the task receives something else.
  static func noteAwaited(_ cause: UInt64) {
    if Gate.isOpen { vv_task_note_cause(cause) }
  }

  /// Lets the next record name what the current task last received, if there is no nearer cause.
  @inline(__always)
  static func nameAwaited() {
    if vv_tasks_are_noted() { nameAwaitedNow() }
  }

  @inline(never)
  private static func nameAwaitedNow() {
    guard writer.pointee.cause == 0, writer.pointee.far_count == 0 else { return }
    vv_cause_add_far(writer, vv_task_cause())
  }

  /// Lets this thread's next record name the cause of a value that was put aside; returns false if
  /// the record has no room left.
  @inline(__always)
  @discardableResult
  static func recall(_ cause: UInt64) -> Bool {
    guard cause != 0, cause != vv_cause_reference(writer) else { return true }
    let hasRoom = writer.pointee.far_count < VV_FAR_LARGEST
    vv_cause_add_far(writer, cause)
    return hasRoom
  }

  /// Runs `body`, which may write records about streams, and leaves the recalled causes to the
  /// value that is delivered next.
  static func keepingRecalled(_ body: () -> Void) {
    let (writer, recalled, count) = (writer, writer.pointee.far, writer.pointee.far_count)
    writer.pointee.far_count = 0
    body()
    writer.pointee.far = recalled
    writer.pointee.far_count = count
  }

  /// Runs `body` on behalf of other code: its first record is caused by `cause`, whatever the
  /// calling thread is delivering.
  ///
  /// - Parameters:
  ///   - session: the recording that knows the cause.
  ///   - author: the stack of the other code; 0 if it was not captured.
  @inline(never)
  static func attribute(
    to cause: UInt64, in session: UInt32, by author: UInt32, _ body: () -> Void
  ) {
    let writer = writer
    let thread = vv_thread_current()!
    let gate = Gate.word >> 8
    let (outerBehalf, wasAttributed) = (thread.pointee.behalf, thread.pointee.is_attributed)
    let outerAuthor = thread.pointee.author
    let (outer, ring, known) = (
      writer.pointee.cause, writer.pointee.ring_id, writer.pointee.session
    )
    writer.pointee.far_count = 0
    writer.pointee.cause = 0
    thread.pointee.behalf = 0
    thread.pointee.is_attributed = 1
    thread.pointee.author = author
    if session == gate, cause != 0 {
      if known == gate, cause == vv_reference(ring, cause & Self.sequenceBits) {
        writer.pointee.cause = cause & Self.sequenceBits
      } else {
        thread.pointee.behalf = cause
        vv_cause_add_far(writer, cause)
      }
    }
    body()
    thread.pointee.behalf = outerBehalf
    thread.pointee.is_attributed = wasAttributed
    thread.pointee.author = outerAuthor
    let isSameRing = writer.pointee.ring_id == ring && writer.pointee.session == known
    writer.pointee.cause = isSameRing ? outer : 0
    writer.pointee.far_count = 0
  }

  /// The part of a reference that is the record's number in its ring.
  private static let sequenceBits: UInt64 = 0xff_ffff_ffff

  /// Whether a recorder wants to know why values are swallowed.
  static var tellAbsorption: Bool { Wish(gate: Gate.word).contains(.absorption) }

  /// Records that a stage swallowed the value that is being delivered.
  static func absorbed(
    _ reference: StreamReference, subscription: UInt64, _ reason: AbsorptionReason
  ) {
    let gate = Gate.word
    guard gate != 0, Wish(gate: gate).contains(.absorption) else { return }
    let stream = reference.identity
    // A recorder that wants one value in so many does not want a record for each of the others.
    guard stream.verdict(for: gate).oneIn == 1, stream.isWanted(by: gate) else { return }
    stream.define(for: gate)
    if writer.pointee.cause == 0 { nameAwaited() }
    RecordHead(gate: gate, kind: .absorbed, stream: stream.id, subscription: subscription)
      .emit(.reason, word: UInt64(reason.rawValue), into: writer)
  }

  /// Records that a stage dropped a value it had held, which was delivered by the record `cause`.
  static func absorbed(
    _ reference: StreamReference, subscription: UInt64, _ reason: AbsorptionReason, cause: UInt64
  ) {
    let gate = Gate.word
    // A value that only an earlier recording knows has no cause in this one.
    guard cause != 0, gate != 0, Wish(gate: gate).contains(.absorption),
      vv_reference_is_known(cause) != 0
    else { return }
    let stream = reference.identity
    guard stream.isWanted(by: gate) else { return }
    stream.define(for: gate)
    // Recalled causes belong to the value that follows.
    keepingRecalled {
      vv_cause_add_far(writer, cause)
      RecordHead(gate: gate, kind: .absorbed, stream: stream.id, subscription: subscription)
        .emit(.reason, word: UInt64(reason.rawValue), into: writer)
    }
  }
}
