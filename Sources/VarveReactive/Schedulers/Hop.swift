internal import CVarveSystem
internal import VarveProbe

/// The context that a piece of scheduled work carries from the thread that scheduled it to the
/// thread that runs it, so that a trace can show where it came from.
///
/// This is the only place where work is handed over: context that has to travel with it is captured
/// in `scheduled` and restored in `perform`. While neither recording nor capturing of backtraces is
/// on, a hop is all zeros and costs only the loads that establish this.
///
/// A hop is consumed once: by `perform`, `cancelled` or `forget`.
struct Hop: Sendable {
  /// The id of the work and the number of the stack that scheduled it; 0 if nothing was recorded at
  /// the time.
  private var own: UInt64 = 0
  /// The reference of its `hopScheduled` record, and the ticks of that record.
  private var reference: UInt64 = 0
  private var ticks: UInt64 = 0
  /// The recording session of that record: a reference is meaningless in another session.
  private var session: UInt32 = 0
  private var scheduler: UInt32 = 0
  /// The hop during which the work was scheduled, if backtraces are captured.
  private var way = WayBack()

  private var id: UInt64 { HopPayload(word: own).parent }
  private var stack: UInt32 { HopPayload(word: own).stack }

  /// Whether recording or capturing of backtraces is on.
  @inline(__always)
  static var areFollowed: Bool { Gate.isOpen || vv_capture_load() }

  /// Records that work is scheduled.
  ///
  /// - Parameter stack: the number of the scheduling code's stack, if already known.
  @inline(__always)
  static func scheduled(by scheduler: SchedulerIdentity, from stack: UInt32 = 0) -> Hop {
    let gate = Gate.word
    return gate == 0 && !vv_capture_load()
      ? Hop() : begun(by: scheduler, gate: gate, stack: stack)
  }

  /// Records that a timer is set for its next tick. The cause is the work that set up the timer,
  /// not the previous tick: otherwise, the way back from the thousandth tick would have a thousand
  /// steps.
  @inline(__always)
  static func nextTick(after timer: Hop, by scheduler: SchedulerIdentity) -> Hop {
    let gate = Gate.word
    return gate == 0 && !vv_capture_load()
      ? Hop() : begun(by: scheduler, gate: gate, after: timer)
  }

  @inline(never)
  private static func begun(
    by scheduler: SchedulerIdentity, gate: UInt32, stack: UInt32 = 0, after timer: Hop? = nil
  ) -> Hop {
    let thread = ThreadSlot.current
    var hop = Hop()
    var stack = stack
    hop.scheduler = scheduler.id
    if let timer {
      stack = timer.stack
      hop.way = timer.way.retained()
    } else if vv_capture_load() || Wish(gate: gate).contains(.stacks) {
      scheduler.keepName()
      AwaitChain.learn()
      if stack == 0 { stack = vv_stack_capture() }
      hop.way = WayBack(from: thread)
    }
    hop.own = HopPayload(stack: stack, parent: vv_hop_next(thread)).word
    if gate != 0 { hop.tellScheduled(by: scheduler, gate: gate, timer: timer, on: thread) }
    return hop
  }

  private mutating func tellScheduled(
    by scheduler: SchedulerIdentity, gate: UInt32, timer: Hop?, on thread: ThreadSlot
  ) {
    scheduler.define(in: gate >> 8)
    let outer = HopContext(thread)
    if let timer, timer.session == gate >> 8 {
      thread.pointee.writer.cause = 0
      vv_cause_add_far(&thread.pointee.writer, timer.reference)
    }
    Records.nameAwaited()
    defer { outer.restore(to: thread) }
    guard emit(.hopScheduled, gate: gate, floor: 0, withStack: true) else { return }
    session = gate >> 8
    reference = vv_reference(thread.pointee.writer.ring_id, thread.pointee.writer.sequence)
    ticks = thread.pointee.writer.last
  }

  /// Runs the work for `scheduler`, and records its beginning and end.
  ///
  /// The action is called here and in inlined functions only: a function that calls a closure
  /// retains its context, which costs more than all the rest.
  @inline(__always)
  func perform(by scheduler: SchedulerIdentity, _ action: () -> Void) {
    let gate = Gate.word
    if gate == 0 && own == 0 {
      scheduler.perform(action)
    } else {
      var stretch = HopStretch()
      withUnsafeMutablePointer(to: &stretch) { stretch in
        begin(stretch, by: scheduler, gate: gate)
        scheduler.perform(action)
        HopStretch.end(stretch)
      }
    }
  }

  @inline(never)
  private func begin(
    _ stretch: UnsafeMutablePointer<HopStretch>, by scheduler: SchedulerIdentity, gate: UInt32
  ) {
    let thread = ThreadSlot.current
    var hop = self
    stretch.pointee.outerHop = thread.pointee.hop
    if gate != 0 {
      if own == 0 {
        hop.own = HopPayload(stack: 0, parent: vv_hop_next(thread)).word
        hop.scheduler = scheduler.id
      }
      stretch.pointee.outer = HopContext(thread)
      hop.tellBegan(by: scheduler, gate: gate, on: thread)
      stretch.pointee.inner = HopContext(thread)
      stretch.pointee.gate = gate
      stretch.pointee.scheduler = hop.scheduler
    }
    thread.pointee.hop = hop.id
    stretch.pointee.before = vv_hop_begin(
      thread, HopStretch.node(of: stretch), hop.way.word, hop.id, hop.scheduler, hop.stack)
  }

  private func tellBegan(by scheduler: SchedulerIdentity, gate: UInt32, on thread: ThreadSlot) {
    scheduler.define(in: gate >> 8)
    let isFollowed = session == gate >> 8
    thread.pointee.writer.cause = 0
    if isFollowed { vv_cause_add_far(&thread.pointee.writer, reference) }
    // For a recording that missed the scheduling, this record shows where the work came from.
    let isTold = emit(
      .hopBegan, gate: gate, floor: isFollowed ? ticks : 0, withStack: !isFollowed)
    thread.pointee.writer.cause = isTold ? thread.pointee.writer.sequence : 0
  }

  /// Records that the work was disposed of before it began.
  @inline(__always)
  func cancelled() {
    guard own != 0 else { return }
    let gate = Gate.word
    if gate != 0, session == gate >> 8 { emit(.hopCancelled, gate: gate, floor: ticks) }
    forget()
  }

  /// Returns the way back for a new owner that continues the work; nil if backtraces are not
  /// captured.
  func takeNode() -> HopNode? {
    HopNode(id: id, scheduler: scheduler, stack: stack, scheduledDuring: way)
  }

  /// Returns a copy of the hop, which is consumed separately.
  func shared() -> Hop {
    var hop = self
    hop.way = way.retained()
    return hop
  }

  /// Consumes the hop of work that will never run.
  @inline(__always)
  func forget() { way.release() }

  @discardableResult
  private func emit(
    _ kind: RecordKind, gate: UInt32, floor: UInt64, withStack: Bool = false
  ) -> Bool {
    let writer = Records.writer
    guard withStack, way.isTaken, Wish(gate: gate).contains(.stacks) else {
      return vv_emit(
        writer, gate, kind.rawValue, PayloadKind.absent.rawValue, scheduler, id, floor)
    }
    Stacks.define(stack, for: gate)
    let payload = HopPayload(stack: stack, parent: way.id)
    return vv_emit_word(
      writer, gate, kind.rawValue, PayloadKind.cause.rawValue, scheduler, id, floor, payload.word)
  }
}

/// The state of a thread while it runs one piece of work. It must not move, because others refer to
/// it through its node.
private struct HopStretch {
  private var hop = vv_hop()
  /// The node of the interrupted work, and its id.
  var before: UnsafeMutablePointer<vv_hop>?
  var outerHop: UInt64 = 0
  /// The state of the gate at the beginning; the other fields are used only if it was not 0.
  var gate: UInt32 = 0
  var scheduler: UInt32 = 0
  var outer = HopContext()
  var inner = HopContext()

  /// The work's node: the first field.
  static func node(of stretch: UnsafeMutablePointer<HopStretch>) -> UnsafeMutablePointer<vv_hop> {
    UnsafeMutableRawPointer(stretch).assumingMemoryBound(to: vv_hop.self)
  }

  @inline(never)
  static func end(_ stretch: UnsafeMutablePointer<HopStretch>) {
    let thread = ThreadSlot.current
    let id = thread.pointee.hop
    vv_hop_end(thread, stretch.pointee.before)
    thread.pointee.hop = stretch.pointee.outerHop
    let (gate, after) = (stretch.pointee.gate, Gate.word)
    guard gate != 0 else {
      // If a recording began in the meantime, it must not attribute the work's causes to later
      // records.
      if after != 0 { HopContext().restore(to: thread) }
      return
    }
    stretch.pointee.inner.restore(to: thread)
    if after >> 8 == gate >> 8 {
      _ = vv_emit(
        Records.writer, after, RecordKind.hopEnded.rawValue, PayloadKind.absent.rawValue,
        stretch.pointee.scheduler, id, 0)
    }
    stretch.pointee.outer.restore(to: thread)
  }
}

/// The context of a thread before it began other work: the record that it was delivering.
private struct HopContext {
  private var cause: UInt64 = 0
  private var ring: UInt32 = 0
  private var session: UInt32 = 0

  /// Creates an empty context.
  init() {}

  init(_ thread: ThreadSlot) {
    cause = thread.pointee.writer.cause
    ring = thread.pointee.writer.ring_id
    session = thread.pointee.writer.session
  }

  /// Restores the context. A cause is a number in one ring: if the thread has another ring by now,
  /// there is no cause to restore.
  func restore(to thread: ThreadSlot) {
    let isSameRing =
      thread.pointee.writer.ring_id == ring && thread.pointee.writer.session == session
    thread.pointee.writer.cause = isSameRing ? cause : 0
    // Causes that were recalled for an unrecorded stream belong to no later record.
    thread.pointee.writer.far_count = 0
  }
}
