internal import CVarveSystem
internal import VarveProbe

/// The latest events of a stream, and a root that sends the events to come.
///
/// A late observer receives the kept values, then those that follow, in order, without gaps or
/// duplicates, and then the actual end.
final class ReplayCell<Value, Failure: Error>: @unchecked Sendable {
  // Safety: `kept` and `end` are touched only inside the root's serializer; `end` is read elsewhere
  // only once it no longer changes.

  let root: Root<Value, Failure>
  let fanOut: FanOut<Value, Failure>
  private let capacity: Int
  /// The latest values; once full, a ring that begins at `oldest`.
  private var kept: ContiguousArray<Held<Value>> = []
  private var oldest = 0
  private var end: Termination<Failure>?

  /// - Parameters:
  ///   - capacity: the number of values to keep.
  ///   - initial: a value to keep before the first one is sent.
  ///   - isRecorded: false when another root records the same stream.
  init(
    _ identity: StreamIdentity, capacity: Int, initial: Value? = nil, isRecorded: Bool = false
  ) {
    (fanOut, root) = Signal<Value, Failure>.makeRoot(identity, isRecorded: isRecorded)
    self.capacity = capacity
    if let initial { keep(initial) }
    fanOut.keepsValues = capacity > 0
    // There is no upkeep: values are kept whether or not the signal is observed.
    fanOut.observers.prepare {}
  }

  /// Keeps a value and delivers it, waiting while another thread delivers.
  func send(_ value: Value) {
    send(value) {}
  }

  /// Keeps a value, runs `body` before any observer receives the value, and delivers it.
  func send(_ value: Value, afterKeeping body: () -> Void) {
    // After the end, the value must not be kept for late observers.
    root.takeTurn(ifGoingOnFrom: 0) {
      keep(value)
      body()
      root.deliver(value)
    }
  }

  /// Ends the stream, at once or right after the delivery in progress.
  func send(_ termination: Termination<Failure>) {
    root.perform(
      DeferredClosure(inside: { [self] in
        if !root.isOver { end = termination }
        root.finish(termination)
      }))
  }

  /// Sends the kept events to `sink`, then those that follow.
  ///
  /// The kept values are sent outside the serializer, because this is not a delivery of the cell:
  /// the observer may send here in turn, or wait for another sender. Values that arrive meanwhile
  /// are put aside and sent next, until none has arrived; so no sender waits for a late observer.
  func replay(into sink: Root<Value, Failure>, run: Run) {
    let follower = ReplaySink(sink, of: self)
    var late: AnyObserver?
    var missed = inside { isNested in
      follower.begin(with: inOrder, end)
      if end == nil {
        let subscription = Subscription(to: fanOut.observers, from: follower)
        run.adopt(subscription)
        // During the cell's own delivery, the observer is attached afterwards; nothing arrives
        // before then.
        if isNested { subscription.attach() } else { late = fanOut.observers.insert(subscription) }
      }
      return follower.takeMissed()
    }
    late?.interrupt()
    while let values = missed {
      for value in values where !sink.isOver { sink.send(value.recall()) }
      missed = inside { _ in follower.takeMissed() }
    }
    if let end = follower.missedEnd { sink.send(end) }
  }

  /// Runs `body` inside the serializer when its turn has come, even after the end.
  ///
  /// - Parameter body: receives whether it runs inside the cell's own delivery.
  private func inside<Result>(_ body: (_ isNested: Bool) -> Result) -> Result {
    let owner = vv_frame_address()
    guard root.enterAlways(owner) else { return body(true) }
    defer { root.leave(owner) }
    return body(false)
  }

  private func keep(_ value: Value) {
    if kept.count < capacity {
      kept.append(Held(value))
    } else if capacity > 0 {
      kept[oldest] = Held(value)
      oldest = (oldest + 1) % capacity
    }
  }

  private var inOrder: ContiguousArray<Held<Value>> {
    oldest == 0 ? kept : ContiguousArray(kept[oldest...] + kept[..<oldest])
  }

  /// Returns the actual end, for an observer that came too late for it. The end does not change
  /// once the observer list has received it.
  fileprivate func real(_ termination: Termination<Failure>) -> Termination<Failure> {
    fanOut.observers.hasEnded ? end ?? termination : termination
  }
}

/// Forwards later events once its observer has received the earlier ones.
private final class ReplaySink<Value, Failure: Error>: Observer<Value, Failure> {
  // Safety: all state changes only inside the cell's serializer; `missedEnd` no longer changes once
  // everything has been forwarded.
  private let root: Root<Value, Failure>
  private let cell: ReplayCell<Value, Failure>
  /// Whether the observer has received everything that came before it.
  @exclusivity(unchecked) private var isUpToDate = false
  private var missed: ContiguousArray<Held<Value>> = []
  /// The end, if it arrived before the observer was up to date.
  private(set) var missedEnd: Termination<Failure>?

  init(_ root: Root<Value, Failure>, of cell: ReplayCell<Value, Failure>) {
    self.root = root
    self.cell = cell
  }

  /// Puts aside the events that came before the observer.
  func begin(with values: ContiguousArray<Held<Value>>, _ end: Termination<Failure>?) {
    missed = values
    missedEnd = end
  }

  /// Returns the values that were put aside; nil if there are none, in which case later values are
  /// forwarded.
  func takeMissed() -> ContiguousArray<Held<Value>>? {
    isUpToDate = missed.isEmpty
    defer { missed = [] }
    return isUpToDate ? nil : missed
  }

  override var hasEnough: Bool { root.isOver }

  override func receive(_ value: Value) {
    if isUpToDate { root.send(value) } else if !root.isOver { missed.append(Held(value)) }
  }

  override func terminate(_ termination: Termination<Failure>) {
    // If the start was disposed of, the values put aside here may be in use; its root is over by
    // then.
    guard !root.isOver else { return }
    let end = cell.real(termination)
    if isUpToDate { root.send(end) } else { missedEnd = end }
  }
}
