internal import CVarveSystem
internal import VarveProbe

/// What a piece of scheduled work carries from the thread that scheduled it to the thread that runs
/// it, so that a trace can say where it came from.
///
/// This is the one place where work is put aside and taken up again: whatever must travel with it
/// is taken in `scheduled` and put back in `perform`. While the gate is closed a hop is zeros, and
/// costs the load that finds the gate closed.
struct Hop: Sendable {
  /// The work's id, or 0 when nobody recorded at the time.
  private var id: UInt64 = 0
  /// Where its `hopScheduled` record lies, and the tick that the record bears.
  private var reference: UInt64 = 0
  private var ticks: UInt64 = 0
  /// The recording session of that record: what one session wrote means nothing to the next.
  private var session: UInt32 = 0
  private var scheduler: UInt32 = 0

  /// Tells that work is given to a scheduler.
  @inline(__always)
  static func scheduled(by scheduler: SchedulerIdentity) -> Hop {
    let gate = Gate.word
    return gate == 0 ? Hop() : told(of: scheduler, gate: gate, origin: Hop())
  }

  /// Tells that a timer is set for its next tick. The cause is the work that set the timer up, not
  /// the tick before: else the way back from the thousandth tick would have a thousand steps.
  @inline(__always)
  static func nextTick(after origin: Hop, by scheduler: SchedulerIdentity) -> Hop {
    let gate = Gate.word
    return gate == 0 ? Hop() : told(of: scheduler, gate: gate, origin: origin)
  }

  @inline(never)
  private static func told(of scheduler: SchedulerIdentity, gate: UInt32, origin: Hop) -> Hop {
    scheduler.define(in: gate >> 8)
    let thread = ThreadSlot.current
    let outer = HopContext(thread)
    if origin.session == gate >> 8 {
      thread.pointee.writer.cause = 0
      vv_cause_add_far(&thread.pointee.writer, origin.reference)
    }
    defer { outer.restore(to: thread) }
    var hop = Hop()
    hop.id = vv_hop_next(thread)
    hop.scheduler = scheduler.id
    guard hop.emit(.hopScheduled, gate: gate, floor: 0) else { return hop }
    hop.session = gate >> 8
    hop.reference = vv_reference(thread.pointee.writer.ring_id, thread.pointee.writer.sequence)
    hop.ticks = thread.pointee.writer.last
    return hop
  }

  /// Runs the work as `scheduler`'s, and tells when it began and ended.
  @inline(__always)
  func perform(by scheduler: SchedulerIdentity, _ action: () -> Void) {
    let gate = Gate.word
    if gate == 0 {
      scheduler.perform(action)
    } else {
      tell(of: scheduler, gate: gate, action)
    }
  }

  @inline(never)
  private func tell(of scheduler: SchedulerIdentity, gate: UInt32, _ action: () -> Void) {
    scheduler.define(in: gate >> 8)
    let thread = ThreadSlot.current
    let outer = HopContext(thread)
    var hop = self
    if hop.id == 0 {
      hop.id = vv_hop_next(thread)
      hop.scheduler = scheduler.id
    }
    thread.pointee.writer.cause = 0
    if session == gate >> 8 { vv_cause_add_far(&thread.pointee.writer, reference) }
    let isTold = hop.emit(.hopBegan, gate: gate, floor: floor(in: gate))
    thread.pointee.writer.cause = isTold ? thread.pointee.writer.sequence : 0
    thread.pointee.hop = hop.id
    let inner = HopContext(thread)

    scheduler.perform(action)

    inner.restore(to: thread)
    let after = Gate.word
    if after >> 8 == gate >> 8 { hop.emit(.hopEnded, gate: after, floor: 0) }
    outer.restore(to: thread)
  }

  /// Tells that the work was disposed of before it began.
  @inline(__always)
  func cancelled() {
    let gate = Gate.word
    guard gate != 0, id != 0, session == gate >> 8 else { return }
    emit(.hopCancelled, gate: gate, floor: ticks)
  }

  private func floor(in gate: UInt32) -> UInt64 {
    session == gate >> 8 ? ticks : 0
  }

  @discardableResult
  private func emit(_ kind: RecordKind, gate: UInt32, floor: UInt64) -> Bool {
    vv_emit(
      &ThreadSlot.current.pointee.writer, gate, kind.rawValue, PayloadKind.absent.rawValue,
      scheduler, id, floor)
  }
}

/// What a thread was doing when it took up other work.
private struct HopContext {
  private let hop: UInt64
  private let cause: UInt64
  private let ring: UInt32
  private let session: UInt32

  init(_ thread: ThreadSlot) {
    hop = thread.pointee.hop
    cause = thread.pointee.writer.cause
    ring = thread.pointee.writer.ring_id
    session = thread.pointee.writer.session
  }

  /// Puts it back. A cause is a number in one ring: if the thread has got another ring meanwhile,
  /// there is none to put back.
  func restore(to thread: ThreadSlot) {
    let isSameRing =
      thread.pointee.writer.ring_id == ring && thread.pointee.writer.session == session
    thread.pointee.hop = hop
    thread.pointee.writer.cause = isSameRing ? cause : 0
    // Causes that were recalled for a stream that nobody records belong to no later record.
    thread.pointee.writer.far_count = 0
  }
}
