internal import CVarveSystem
internal import VarveProbe

/// The latest events of a stream, and a root that sends those to come.
///
/// Who comes late gets what is kept and then what follows, in order, without a gap or a double, and
/// the real end.
final class ReplayCell<Value, Failure: Error>: @unchecked Sendable {
  // Safety: `kept` and `end` are touched only inside the root's serializer; `end` is read elsewhere
  // only when it no longer changes.

  let root: Root<Value, Failure>
  let fanOut: FanOut<Value, Failure>
  private let capacity: Int
  /// The latest values, as a ring once it is full: `oldest` is where it begins.
  private var kept: ContiguousArray<Held<Value>> = []
  private var oldest = 0
  private var end: Termination<Failure>?

  /// - Parameters:
  ///   - capacity: how many values are kept.
  ///   - initial: what is kept before the first value comes.
  ///   - isRecorded: false when another root records the same stream.
  init(
    _ identity: StreamIdentity, capacity: Int, initial: Value? = nil, isRecorded: Bool = false
  ) {
    (fanOut, root) = Signal<Value, Failure>.makeRoot(identity, isRecorded: isRecorded)
    self.capacity = capacity
    if let initial { keep(initial) }
    fanOut.keepsValues = capacity > 0
    // What is kept is kept whoever listens.
    fanOut.observers.prepare {}
  }

  /// Keeps a value and delivers it; waits its turn when another thread delivers.
  func send(_ value: Value) {
    send(value) {}
  }

  /// Keeps a value, lets `body` run before anybody hears of it, and delivers it.
  func send(_ value: Value, afterKeeping body: () -> Void) {
    // After the end it must not be kept for those who come late.
    root.takeTurn(ifGoingOnFrom: 0) {
      keep(value)
      body()
      root.deliver(value)
    }
  }

  /// Ends the stream: now, or, when somebody delivers, right after that.
  func send(_ termination: Termination<Failure>) {
    root.perform(
      DeferredClosure(inside: { [self] in
        if !root.isOver { end = termination }
        root.finish(termination)
      }))
  }

  /// Sends what is kept to `sink`, then what follows.
  ///
  /// What is kept is sent outside the serializer, for that is no delivery of the cell's: the
  /// observer may send here in turn, or wait for somebody who does. What comes meanwhile is put
  /// aside for it and is sent next, until nothing has come; so no sender waits for a late observer.
  func replay(into sink: Root<Value, Failure>, run: Run) {
    let follower = ReplaySink(sink, of: self)
    var late: AnyObserver?
    var missed = inside { isNested in
      follower.begin(with: inOrder, end)
      if end == nil {
        let subscription = Subscription(to: fanOut.observers, from: follower)
        run.adopt(subscription)
        // In the cell's own delivery it is attached after that: until then nothing comes.
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

  /// Runs `body` inside, when its turn has come, also after the end.
  ///
  /// - Parameter body: is told whether it runs inside the cell's own delivery.
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

  /// The end, for an observer that came too late for it. It does not change once the observer list has
  /// heard of it.
  fileprivate func real(_ termination: Termination<Failure>) -> Termination<Failure> {
    fanOut.observers.hasEnded ? end ?? termination : termination
  }
}

/// Passes on what follows, once its observer has got what came before.
private final class ReplaySink<Value, Failure: Error>: Observer<Value, Failure> {
  // All that changes is changed only inside the cell's serializer; `missedEnd` not at all once
  // everything is passed on.
  private let root: Root<Value, Failure>
  private let cell: ReplayCell<Value, Failure>
  /// Whether the observer has got everything that came before.
  @exclusivity(unchecked) private var isUpToDate = false
  private var missed: ContiguousArray<Held<Value>> = []
  /// The end, when it came before the observer had got everything else.
  private(set) var missedEnd: Termination<Failure>?

  init(_ root: Root<Value, Failure>, of cell: ReplayCell<Value, Failure>) {
    self.root = root
    self.cell = cell
  }

  /// Puts aside what came before the observer did.
  func begin(with values: ContiguousArray<Held<Value>>, _ end: Termination<Failure>?) {
    missed = values
    missedEnd = end
  }

  /// What has come and was not passed on; nil when nothing has, and what follows is passed on.
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
    // Of a start that was disposed of, what is put aside here may be in use: its root is over by then.
    guard !root.isOver else { return }
    let end = cell.real(termination)
    if isUpToDate { root.send(end) } else { missedEnd = end }
  }
}
