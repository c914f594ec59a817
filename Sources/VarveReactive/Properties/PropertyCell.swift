internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// The core of a property: its latest value, and a root that sends the changes.
///
/// The value can be read during a delivery. It is changed only inside the root's serializer, so
/// that every change is delivered, in order.
package final class PropertyCell<Value>: ReadCell, @unchecked Sendable {
  // Safety: `deliveredVersion` is atomic; the rest is immutable and thread-safe.

  let root: Root<Value, Never>
  let fanOut: FanOut<Value, Never>
  private let current: CurrentValue<Value>
  /// The version of the value that is being delivered or was delivered last.
  private let deliveredVersion = Atomic<UInt64>(0)

  init(_ identity: StreamIdentity, _ initial: Value, isRecorded: Bool = true) {
    (fanOut, root) = Signal<Value, Never>.makeRoot(
      identity, isRecorded: isRecorded, note: LatestCause())
    fanOut.keepsValues = true
    current = CurrentValue(initial)
    super.init()
  }

  override func noteRead() { noteRead(of: fanOut.observers.identity, after: current.version) }

  override func noteChangesTaken() {
    noteRead(of: fanOut.observers.identity, after: current.version, takingChanges: true)
  }

  /// The latest value.
  var value: Value {
    if let value = current.read() { return value }
    return valueAfterChange()
  }

  @inline(never)
  private func valueAfterChange() -> Value {
    var recorded = RecordedWait()
    defer { recorded.end() }
    while true {
      if let value = current.read() { return value }
      refuseNesting()
      root.wait(.change, &recorded) { [current] in current.isChanging }
    }
  }

  /// Changes the value and delivers it: at once or, inside the property's own delivery, after that
  /// delivery.
  func write(_ newValue: Value) {
    let owner = vv_frame_address()
    guard root.tryEnter(owner) else {
      swap(newValue)
      return
    }
    var old = newValue
    deliver(newValue, version: current.exchange(&old))
    root.leave(owner)
    // Released outside the serializer: its deinitializer may run client code.
    withExtendedLifetime(old) {}
  }

  /// Changes the value and returns the previous one.
  @discardableResult
  func swap(_ newValue: Value) -> Value {
    let owner = vv_frame_address()
    var old = newValue
    guard root.enterAlways(owner) else {
      changeRecursively { _ = current.exchange(&old) }
      return old
    }
    deliver(newValue, version: current.exchange(&old))
    root.leave(owner)
    return old
  }

  /// Changes the value in place and delivers the result, even if `action` throws.
  @discardableResult
  func change<Result, Failure: Error>(
    _ action: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let owner = vv_frame_address()
    guard root.enterAlways(owner) else {
      return try changeRecursively { changeInPlace(action) }.get()
    }
    let outcome = changeInPlace(action)
    var version: UInt64 = 0
    let value = current.read(&version)
    deliver(value, version: version)
    root.leave(owner)
    return try outcome.get()
  }

  private func changeInPlace<Result, Failure: Error>(
    _ action: (inout Value) throws(Failure) -> Result
  ) -> Swift.Result<Result, Failure> {
    let outcome = current.change(action)
    // Readers that are waiting for the change must not wait for the delivery as well.
    if root.isWanted { WaitForGraph.callAll() }
    return outcome
  }

  /// Calls `action` with the value, which no other thread changes in the meantime.
  func read<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
    let owner = vv_frame_address()
    guard root.enterAlways(owner) else { return try action(value) }
    defer { root.leave(owner) }
    var version: UInt64 = 0
    return try action(current.read(&version))
  }

  /// Changes the value to the result of `decide`, unless that is nil. No other thread changes the
  /// value in the meantime. If code called by `decide` changes the value, that later change stands.
  ///
  /// - Parameter note: called with the version of the change before it is delivered.
  func settle(_ decide: () -> Value?, noting note: (UInt64) -> Void) {
    let owner = vv_frame_address()
    guard root.enterAlways(owner) else {
      if current.isChanging { refuseNesting() }
      guard var value = standing(decide) else { return }
      return changeRecursively { note(current.exchange(&value)) }
    }
    let accepted = standing(decide)
    let old = accepted.map { replace(by: $0, willDeliver: note) }
    root.leave(owner)
    // Released outside the serializer: their deinitializers may run client code.
    withExtendedLifetime((accepted, old)) {}
  }

  /// Returns the result of `decide`, or nil if the value was changed in the meantime. Called inside
  /// the serializer.
  private func standing(_ decide: () -> Value?) -> Value? {
    let version = current.version
    guard let value = decide(), current.version == version else { return nil }
    return value
  }

  /// The version of the change that is being delivered. Read inside the serializer.
  package var versionInDelivery: UInt64 { deliveredVersion.load(ordering: .relaxed) }

  /// Changes the value at once, without waiting. A call to `deliverPosted` must follow. Posted
  /// changes are delivered in order.
  func post(_ newValue: Value) { current.post(newValue) }

  /// Delivers the changes posted so far: now, or right after the delivery in progress.
  ///
  /// Changes that are posted in the meantime are left to the call that follows them, so that
  /// observers added or removed before that call are taken into account.
  ///
  /// - Parameter decider: the stack of the code that decided on the last change; 0 if unknown.
  func deliverPosted(decidedBy decider: UInt32 = 0) {
    let last = current.version
    root.perform(
      DeferredDelivery { [self] in
        while let (held, version) = current.takePosted(upTo: last) {
          if root.decider != nil { root.decider = version == last ? decider : 0 }
          deliver(held.recall(), version: version)
        }
      })
  }

  /// Sends the latest value to `sink` and subscribes it to the changes, so that no change in
  /// between is sent twice or lost.
  ///
  /// The value is sent outside the serializer, because this is not a delivery of the property:
  /// other observers receive concurrent changes at once. For `sink`, these are held and sent next,
  /// until there are none. Inside the property's own delivery, the observer is added after that
  /// delivery. Changes that are delivered later but are already contained in the value are skipped.
  func replay(into sink: Root<Value, Never>, run: Run) {
    let owner = vv_frame_address()
    let isNested = !root.enterAlways(owner)
    if isNested, current.isChanging { refuseNesting() }
    var seen: UInt64 = 0
    let value = current.read(&seen)
    let cause = root.note?.latestCause ?? 0
    guard !root.isOver else {
      if !isNested { root.leave(owner) }
      Records.recall(cause)
      sink.send(value)
      return sink.send(.completed)
    }
    let follower = Follower(sink, of: self, since: seen)
    let subscription = Subscription(to: fanOut.observers, from: follower)
    run.adopt(subscription)
    // Inserted before the value is sent: a change caused by that delivery must find the observer.
    var late: AnyObserver?
    if isNested {
      subscription.attach()
    } else {
      late = fanOut.observers.insert(subscription)
      root.leave(owner)
    }
    late?.interrupt()
    Records.recall(cause)
    sink.send(value)
    while !follower.isUpToDate() { sendMissed(by: follower, to: sink) }
  }

  private func sendMissed(by follower: Follower<Value>, to sink: Root<Value, Never>) {
    let owner = vv_frame_address()
    let isNested = !root.enterAlways(owner)
    let (values, hasEnded) = follower.takeMissed()
    if !isNested { root.leave(owner) }
    for value in values where !sink.isOver { sink.send(value.recall()) }
    if hasEnded { sink.send(.completed) }
  }

  /// Whether the delivery in progress is of a later change. Called inside the serializer.
  @inline(__always)
  fileprivate func delivers(laterThan version: UInt64) -> Bool {
    deliveredVersion.load(ordering: .relaxed) > version
  }

  /// The latest value and its version. Read inside the serializer.
  package var latestVersion: (value: Value, version: UInt64) {
    var version: UInt64 = 0
    let value = current.read(&version)
    return (value, version)
  }

  /// Calls `inside` inside the serializer, now or when the thread inside leaves it, and then
  /// `afterwards` outside.
  package func inTurn(_ inside: @escaping () -> Void, afterwards: @escaping () -> Void = {}) {
    root.perform(DeferredClosure(inside: inside, afterwards: afterwards))
  }

  /// Changes the value and delivers it. Called inside the serializer.
  ///
  /// - Parameter willDeliver: called with the version of the new value before the delivery.
  package func replace(by newValue: Value, willDeliver: (UInt64) -> Void) -> Value {
    var old = newValue
    let version = current.exchange(&old)
    willDeliver(version)
    deliver(newValue, version: version)
    return old
  }

  @inline(__always)
  private func deliver(_ value: Value, version: UInt64) {
    guard !root.isOver else { return }
    deliveredVersion.store(version, ordering: .relaxed)
    root.deliver(value)
  }

  /// Changes the value at once; the delivery follows the one in progress (contract Y4).
  private func changeRecursively<Result>(_ change: () -> Result) -> Result {
    if current.isChanging { refuseNesting() }
    let result = change()
    Records.mark("changed inside its own delivery", about: fanOut.observers.identity)
    var version: UInt64 = 0
    let held = Held(current.read(&version))
    let delivery = DeferredDelivery { [self, version] in
      deliver(held.recall(), version: version)
    }
    delivery.noteAuthor()
    root.performOnLeaving(delivery)
    return result
  }

  /// Stops the program if the calling thread is changing the value in place.
  private func refuseNesting() {
    guard root.isMine else { return }
    let identity = fanOut.observers.identity
    let message = RecursionMessage.text(
      RecursionMessage.ofOwnChange(of: identity.name), details: [])
    Records.tell(message, about: identity)
    fatalError(message)
  }
}

/// An action that delivers later, entirely inside the serializer.
final class DeferredDelivery: DeferredAction, @unchecked Sendable {
  // Safety: run once, by the thread inside the serializer.
  private let deliver: () -> Void

  init(_ deliver: @escaping () -> Void) { self.deliver = deliver }

  override var isDoneInside: Bool { true }
  override func run() { deliver() }
}

/// The handling of changes for a new observer.
private enum Phase {
  /// Changes are held: the observer has not received the earlier values.
  static let behind: UInt8 = 0
  /// As `behind`, and at least one change is held.
  static let missing: UInt8 = 1
  /// Changes are forwarded.
  static let upToDate: UInt8 = 2
}

/// Forwards the changes that an observer has not seen, once it has received the first value.
private final class Follower<Value>: Observer<Value, Never> {
  private let root: Root<Value, Never>
  private let cell: PropertyCell<Value>
  private let seen: UInt64
  private let phase = Atomic<UInt8>(Phase.behind)
  // Safety: the held changes are accessed only inside the cell's serializer.
  @exclusivity(unchecked) private var missed: ContiguousArray<Held<Value>> = []
  @exclusivity(unchecked) private var hasEnded = false

  init(_ root: Root<Value, Never>, of cell: PropertyCell<Value>, since seen: UInt64) {
    self.root = root
    self.cell = cell
    self.seen = seen
  }

  /// Forwards changes from now on, unless some are held. Returns whether it does.
  func isUpToDate() -> Bool {
    phase.compareExchange(
      expected: Phase.behind, desired: Phase.upToDate, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Returns the held changes. Called inside the serializer.
  func takeMissed() -> (values: ContiguousArray<Held<Value>>, hasEnded: Bool) {
    defer { missed = [] }
    phase.store(Phase.behind, ordering: .relaxed)
    return (missed, hasEnded)
  }

  override var hasEnough: Bool { root.isOver }

  override func receive(_ value: Value) {
    guard cell.delivers(laterThan: seen) else { return }
    if isBehind { putAsideOrSend(value) } else { root.send(value) }
  }

  // Out of line, because a function that creates a `Held` looks up its type on entry.
  @inline(never)
  private func putAsideOrSend(_ value: Value) {
    if putsAside() { missed.append(Held(value)) } else { root.send(value) }
  }

  /// A property's signal ends only by completion: an interruption means that the observer
  /// subscribed after the end.
  override func terminate(_ termination: Termination<Never>) {
    // If the start was disposed of, its root is over, and the state below may be in use by another
    // thread.
    guard !root.isOver else { return }
    if isBehind, putsAside() { hasEnded = true } else { root.send(.completed) }
  }

  /// Whether the observer may not have received all earlier values.
  @inline(__always)
  private var isBehind: Bool { phase.load(ordering: .acquiring) != Phase.upToDate }

  /// Returns whether a change has to be held, and notes that one is.
  private func putsAside() -> Bool {
    phase.compareExchange(
      expected: Phase.behind, desired: Phase.missing, ordering: .acquiringAndReleasing
    ).original != Phase.upToDate
  }
}

/// Sends a property's latest value, followed by its changes.
final class PropertyRecipe<Value>: Recipe<Value, Never>, @unchecked Sendable {
  // Safety: immutable.
  private let cell: PropertyCell<Value>
  /// Keeps a composed property alive.
  private let signal: Signal<Value, Never>?

  init(_ cell: PropertyCell<Value>, keeping signal: Signal<Value, Never>? = nil) {
    self.cell = cell
    self.signal = signal
    super.init(
      Operation("producer", traits: [.standsIn, .replays]),
      parents: [.identity(cell.fanOut.observers.identity)], valueType: Value.self)
  }

  override func start(into sink: Observer<Value, Never>, run: Run) {
    let root = Root<Value, Never>(.recipe(self), run: Subscription.newNumber())
    root.prepare(into: sink)
    run.adopt(root)
    cell.replay(into: root, run: run)
  }
}
