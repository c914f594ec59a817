import CVarveSystem
public import VarveProbe

/// A recorder that keeps everything in memory, for tests of what the library tells.
///
///     let rig = await ProbeRig.record { _ in
///       input.send(value: 1)
///     }
///     #expect(rig.records(.value, of: stream).map(\.word) == [1])
///
/// The gate is open while the body runs, for every thread of the process: suites that run beside
/// this one are recorded too, so look only at streams of your own. Two bodies never overlap
/// (`GateTurn`).
public final class ProbeRig: ProbeReceiver {
  private struct State {
    var rings: [HeapRing] = []
    var streams: [StreamDefinition] = []
    var schedulers: [SchedulerDefinition] = []
    var stacks: [UInt32] = []
  }

  // Sessions count down from the last, so that they are never those of a recorder in this process.
  private static let lastSession = Lock<UInt32>(1 << 24)
  private static let current = Lock<ProbeRig?>(nil)
  // Rings of one recording have higher ids than those of the one before.
  private static let lastRing = Lock<UInt32>(0)

  /// The session that the gate had.
  public let session: UInt32
  private let state = Lock(State())
  private let oldestRing: UInt32

  private init() {
    oldestRing = ProbeRig.lastRing.withLock { $0 + 1 }
    session = ProbeRig.lastSession.withLock { last in
      last -= 1
      return last
    }
  }

  /// Opens the gate, runs `body`, closes the gate.
  @discardableResult
  public static func record(
    wish: Wish = [.allStreams, .absorption], isolation: isolated (any Actor)? = #isolation,
    _ body: (ProbeRig) async throws -> Void
  ) async rethrows -> ProbeRig {
    try await GateTurn.take {
      let rig = ProbeRig()
      rig.open(wish: wish)
      defer { rig.close() }
      try await body(rig)
      return rig
    }
  }

  /// Opens the gate again after `close`, as another recording: to be called inside `record`.
  public static func reopened(wish: Wish = [.allStreams, .absorption]) -> ProbeRig {
    let rig = ProbeRig()
    rig.open(wish: wish)
    return rig
  }

  private func open(wish: Wish) {
    ProbeRig.current.withLock { $0 = self }
    vv_oldest_ring_store(oldestRing)
    Probe.open(session: session, wish: wish, receiver: self) { writer, session, bytes in
      writer.map { ProbeRig.makeRoom(for: $0, in: session) } ?? false
    }
  }

  /// Closes the gate before the body's end.
  public func close() {
    Probe.close()
    ProbeRig.current.withLock { $0 = nil }
  }

  private static func makeRoom(
    for writer: UnsafeMutablePointer<vv_writer>, in session: UInt32
  ) -> Bool {
    guard let rig = current.withLock({ $0 }), rig.session == session else { return false }
    rig.state.withLock { state in
      if writer.pointee.session == session,
        let ring = state.rings.first(where: { $0.id == writer.pointee.ring_id })
      {
        ring.extend(writer)
      } else {
        let id = lastRing.withLock { last in
          last += 1
          return last
        }
        let ring = HeapRing(id: id, session: session)
        state.rings.append(ring)
        ring.extend(writer)
      }
    }
    return true
  }

  /// Keeps the definition.
  public func define(_ stream: StreamDefinition) {
    state.withLock { $0.streams.append(stream) }
  }

  /// Keeps the definition.
  public func define(_ scheduler: SchedulerDefinition) {
    state.withLock { $0.schedulers.append(scheduler) }
  }

  /// Keeps the stack's number.
  public func define(stack id: UInt32) {
    state.withLock { $0.stacks.append(id) }
  }
}

extension ProbeRig {
  /// Everything that was told, ring after ring, each ring in order.
  public var records: [RigRecord] {
    state.withLock { state in state.rings.flatMap { $0.records() } }
  }

  /// The records of one kind of one stream or scheduler, in order of time.
  public func records(_ kind: RecordKind, of stream: UInt32) -> [RigRecord] {
    records(of: stream).filter { $0.kind == kind }
  }

  /// The records of one stream or scheduler, in order of time.
  public func records(of stream: UInt32) -> [RigRecord] {
    records.filter { $0.stream == stream }.sorted { $0.ticks < $1.ticks }
  }

  /// The records of one scheduler's hops, in order of time. A stream may have the same number.
  public func hops(of scheduler: UInt32) -> [RigRecord] {
    records(of: scheduler).filter { record in
      switch record.kind {
      case .hopScheduled, .hopBegan, .hopEnded, .hopCancelled: true
      case .assembled, .subscribed, .ended, .value, .failed, .completed, .interrupted, .absorbed,
        .log, .mark, .skipped, .sent, .waitBegan, .waitEnded, .read, .taskCreated,
        .taskCancelled, .taskFailed, .taskFailureRead, .hopSampled, .errorThrown:
        false
      }
    }
  }

  /// The record with this reference.
  public func record(_ reference: UInt64?) -> RigRecord? {
    records.first { $0.reference == reference }
  }

  /// What was told of streams, doubles included.
  public var streams: [StreamDefinition] { state.withLock { $0.streams } }

  /// The stream with this name.
  public func stream(named name: String) -> StreamDefinition? {
    streams.first { $0.name == name }
  }

  /// What was told of schedulers, doubles included.
  public var schedulers: [SchedulerDefinition] { state.withLock { $0.schedulers } }

  /// The numbers of the stacks that were told of.
  public var stacks: [UInt32] { state.withLock { $0.stacks } }

  /// The scheduler with this name.
  public func scheduler(named name: String) -> SchedulerDefinition? {
    schedulers.first { $0.name == name }
  }
}
