internal import CVarveSystem
internal import VarveProbe

/// The latest events of a stream, and a root that sends those to come.
///
/// Who comes late gets what is kept and then what follows, in order, without a gap or a double, and
/// the real end.
final class ReplayCell<Value, Failure: Error>: @unchecked Sendable {
  // Safety: `kept` and `end` are touched only inside the root's domain.

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
    // What is kept is kept whoever listens.
    fanOut.audience.prepare {}
  }

  /// Keeps a value and delivers it; waits its turn when another thread delivers.
  func send(_ value: Value) {
    send(value) {}
  }

  /// Keeps a value, lets `body` run before anybody hears of it, and delivers it.
  func send(_ value: Value, afterKeeping body: () -> Void) {
    root.takeTurn(from: 0) {
      // It may have lost the race against the end, and must not be kept for those who come late.
      guard !root.isOver else { return }
      keep(value)
      body()
      root.deliver(value)
    }
  }

  /// Ends the stream: now, or, when somebody delivers, right after that.
  func send(_ termination: Termination<Failure>) {
    root.perform(
      ClosureErrand(inside: { [self] in
        if !root.isOver { end = termination }
        root.finish(termination)
      }))
  }

  /// Sends what is kept to `sink` and attaches it to what follows.
  ///
  /// Nobody delivers meanwhile: either this waits its turn, or it happens inside the cell's own
  /// delivery, of a value that is kept already, and then the observer is attached after that. So a
  /// sender waits while a late observer is given what is kept; after the end, nobody waits.
  func replay(into sink: Root<Value, Failure>, run: Run) {
    let owner = vv_frame_address()
    let isNested = !root.enterAlways(owner)
    let kept = inOrder
    let end = end
    if end != nil, !isNested { root.leave(owner) }
    for held in kept where !sink.isOver { sink.send(held.recall()) }
    if let end { return sink.send(end) }
    let edge = Edge(to: fanOut.audience, from: ReplaySink(sink, of: self))
    run.adopt(edge)
    if isNested { edge.attach() } else { fanOut.audience.insert(edge) }
    if !isNested { root.leave(owner) }
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

  /// The end, for an observer that came too late for it.
  fileprivate func real(_ termination: Termination<Failure>) -> Termination<Failure> {
    end ?? termination
  }
}

/// Passes on what follows.
private final class ReplaySink<Value, Failure: Error>: Observer<Value, Failure> {
  private let root: Root<Value, Failure>
  private let cell: ReplayCell<Value, Failure>

  init(_ root: Root<Value, Failure>, of cell: ReplayCell<Value, Failure>) {
    self.root = root
    self.cell = cell
  }

  override var hasEnough: Bool { root.isOver }
  override func receive(_ value: Value) { root.send(value) }
  override func terminate(_ termination: Termination<Failure>) { root.send(cell.real(termination)) }
}
