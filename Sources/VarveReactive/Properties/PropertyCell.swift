internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// What a property is made of: the latest value, and a root that sends the changes.
///
/// The value lies behind a lock of its own, so that it can be read while a delivery is in progress;
/// it is changed only inside the root's domain, so that every change is delivered, in order.
final class PropertyCell<Value>: @unchecked Sendable {
  // Safety: `latest` is locked; the rest is immutable or atomic.

  let root: Root<Value, Never>
  let fanOut: FanOut<Value, Never>
  private let latest: LatestBox<Value>
  /// How many times the value was changed; changed together with it.
  private let version = Atomic<UInt64>(0)
  /// The version that is being delivered.
  private let deliveredVersion = Atomic<UInt64>(0)
  /// Whether a closure of the user's is changing the value in place.
  private let isModifying = Atomic<Bool>(false)

  init(_ identity: StreamIdentity, _ initial: Value, isRecorded: Bool = true) {
    (fanOut, root) = Signal<Value, Never>.makeRoot(identity, isRecorded: isRecorded)
    latest = LatestBox(initial)
  }

  /// The latest value.
  var value: Value {
    if isModifying.load(ordering: .relaxed), root.isMine { stopBecauseOfNesting() }
    return latest.load()
  }

  /// Changes the value and delivers it: at once, or, inside the property's own delivery, after that.
  func write(_ newValue: Value) {
    let owner = vv_frame_address()
    guard root.tryEnter(owner) else {
      swap(newValue)
      return
    }
    let old = latest.exchange(newValue)
    let change = version.load(ordering: .relaxed) + 1
    version.store(change, ordering: .relaxed)
    deliveredVersion.store(change, ordering: .relaxed)
    root.deliver(newValue)
    root.leave(owner)
    withExtendedLifetime(old) {}
  }

  /// Changes the value and returns the one before.
  @discardableResult
  func swap(_ newValue: Value) -> Value {
    change { latest in
      let old = latest
      latest = newValue
      return old
    }
  }

  /// Changes the value in place and delivers the outcome, also when `action` throws.
  @discardableResult
  func change<Result, Failure: Error>(
    _ action: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let owner = vv_frame_address()
    if root.tryEnter(owner) { return try changeInside(owner, action) }
    if root.isMine { return try changeRecursively(action) }
    // After the root's end nobody can be told, but the value may still be changed.
    guard root.enter(owner) else { return try mutate(action).get() }
    return try changeInside(owner, action)
  }

  /// Runs `action` with the value while nobody changes it.
  func read<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
    let owner = vv_frame_address()
    guard !root.isMine, root.enter(owner) else { return try action(value) }
    defer { root.leave(owner) }
    return try action(value)
  }

  /// Sends the latest value to `sink` and attaches it to the changes, so that none comes twice and
  /// none is missing between the two.
  func replay(into sink: Root<Value, Never>, run: Run) {
    let owner = vv_frame_address()
    if root.isMine { return replayInsideDelivery(into: sink, run: run) }
    guard root.enter(owner) else { return replayAfterEnd(into: sink) }
    guard !root.isOver else {
      root.leave(owner)
      return replayAfterEnd(into: sink)
    }
    sink.send(value)
    let edge = Edge(to: fanOut.audience, from: Passage(sink))
    run.adopt(edge)
    fanOut.audience.insert(edge)
    root.leave(owner)
  }

  private func changeInside<Result, Failure: Error>(
    _ owner: UInt, _ action: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome = mutate(action)
    deliveredVersion.store(version.load(ordering: .relaxed), ordering: .relaxed)
    if !root.isOver { root.deliver(latest.load()) }
    root.leave(owner)
    return try outcome.get()
  }

  /// The value changes at once; its delivery follows the one in progress (contract Y4).
  private func changeRecursively<Result, Failure: Error>(
    _ action: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isModifying.load(ordering: .relaxed) { stopBecauseOfNesting() }
    let outcome = mutate(action)
    let (held, change) = (Held(latest.load()), version.load(ordering: .relaxed))
    root.performOnLeaving(
      ClosureErrand(inside: { [self] in
        deliveredVersion.store(change, ordering: .relaxed)
        if !root.isOver { root.deliver(held.recall()) }
      }))
    return try outcome.get()
  }

  private func mutate<Result, Failure: Error>(
    _ action: (inout Value) throws(Failure) -> Result
  ) -> Swift.Result<Result, Failure> {
    isModifying.store(true, ordering: .relaxed)
    defer { isModifying.store(false, ordering: .relaxed) }
    return latest.mutate { value in
      version.wrappingAdd(1, ordering: .relaxed)
      do throws(Failure) { return .success(try action(&value)) } catch { return .failure(error) }
    }
  }

  /// Inside the property's own delivery the observer can be attached only afterwards. Deliveries
  /// that still wait by then are of values that the latest one has replaced already.
  private func replayInsideDelivery(into sink: Root<Value, Never>, run: Run) {
    let seen = version.load(ordering: .relaxed)
    sink.send(value)
    let latecomer = Latecomer(sink) { [unowned(unsafe) self] in
      deliveredVersion.load(ordering: .relaxed) > seen
    }
    let edge = Edge(to: fanOut.audience, from: latecomer)
    run.adopt(edge)
    edge.attach()
  }

  private func replayAfterEnd(into sink: Root<Value, Never>) {
    sink.send(value)
    sink.send(.completed)
  }

  private func stopBecauseOfNesting() -> Never {
    preconditionFailure(
      "Varve: '\(fanOut.audience.identity.name)' was read or changed inside its own `modify`; "
        + "use the value that the closure was given")
  }
}

/// Passes on what an observer that was attached during a delivery has not seen yet.
private final class Latecomer<Value>: Observer<Value, Never> {
  private let root: Root<Value, Never>
  private let isNew: () -> Bool

  init(_ root: Root<Value, Never>, isNew: @escaping () -> Bool) {
    self.root = root
    self.isNew = isNew
  }

  override func receive(_ value: Value) {
    if isNew() { root.send(value) }
  }

  override func terminate(_ termination: Termination<Never>) { root.send(termination) }
}

/// Sends a property's latest value, then its changes.
final class PropertyRecipe<Value>: Recipe<Value, Never>, @unchecked Sendable {
  // Safety: immutable.
  private let cell: PropertyCell<Value>

  init(_ cell: PropertyCell<Value>) {
    self.cell = cell
    super.init(
      Operation("producer", older: "-producer"),
      parents: [.identity(cell.fanOut.audience.identity)], valueType: Value.self)
  }

  override func start(into sink: Observer<Value, Never>, run: Run) {
    let root = Root<Value, Never>(.recipe(self), run: Edge.newNumber())
    root.prepare(into: sink)
    run.adopt(root)
    cell.replay(into: root, run: run)
  }
}
