internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

/// What a property is made of: the latest value, and a root that sends the changes.
///
/// The value can be read while a delivery is in progress; it is changed only inside the root's
/// serializer, so that every change is delivered, in order.
package final class PropertyCell<Value>: @unchecked Sendable {
  // Safety: `deliveredVersion` is atomic; the rest is immutable and made for many threads.

  let root: Root<Value, Never>
  let fanOut: FanOut<Value, Never>
  private let current: CurrentValue<Value>
  /// The version of the value that is being, or was last, delivered.
  private let deliveredVersion = Atomic<UInt64>(0)

  init(_ identity: StreamIdentity, _ initial: Value, isRecorded: Bool = true) {
    (fanOut, root) = Signal<Value, Never>.makeRoot(
      identity, isRecorded: isRecorded, note: LatestCause())
    fanOut.keepsValues = true
    current = CurrentValue(initial)
  }

  /// The latest value.
  var value: Value {
    while true {
      if let value = current.read() { return value }
      refuseNesting()
      root.wait(while: { [current] in current.isChanging })
    }
  }

  /// Changes the value and delivers it: at once, or, inside the property's own delivery, after that.
  func write(_ newValue: Value) {
    let owner = vv_frame_address()
    guard root.tryEnter(owner) else {
      swap(newValue)
      return
    }
    var old = newValue
    deliver(newValue, version: current.exchange(&old))
    root.leave(owner)
    // Released outside: its deinitialiser may run user code.
    withExtendedLifetime(old) {}
  }

  /// Changes the value and returns the one before.
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

  /// Changes the value in place and delivers the outcome, also when `action` throws.
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
    // Readers that slept meanwhile must not wait for the end of a delivery.
    if root.isWanted { WaitForGraph.callAll() }
    return outcome
  }

  /// Runs `action` with the value while nobody changes it.
  func read<Result>(_ action: (Value) throws -> Result) rethrows -> Result {
    let owner = vv_frame_address()
    guard root.enterAlways(owner) else { return try action(value) }
    defer { root.leave(owner) }
    var version: UInt64 = 0
    return try action(current.read(&version))
  }

  /// Changes the value to what `decide` returns, unless that is nil; no other thread changes it
  /// meanwhile. When somebody whom `decide` tells of it changes the value, that later change stands.
  ///
  /// - Parameter note: gets the version of the change before it is delivered.
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
    // Released outside: their deinitialisers may run user code.
    withExtendedLifetime((accepted, old)) {}
  }

  /// What `decide` returns, unless the value was changed meanwhile. Inside the serializer.
  private func standing(_ decide: () -> Value?) -> Value? {
    let version = current.version
    guard let value = decide(), current.version == version else { return nil }
    return value
  }

  /// The version of the change that is being delivered. Inside the serializer.
  package var versionInDelivery: UInt64 { deliveredVersion.load(ordering: .relaxed) }

  /// Changes the value at once, without waiting for anybody; `deliverPosted` has to follow. Changes
  /// that are posted one after the other are delivered in that order.
  func post(_ newValue: Value) { current.post(newValue) }

  /// Delivers what was posted before: now, or, when somebody delivers just now, right after that.
  ///
  /// What is posted meanwhile is left to the call that follows it: observers that come or go before
  /// that call must be there, or be gone, when it delivers.
  func deliverPosted() {
    let last = current.version
    root.perform(
      DeferredDelivery { [self] in
        while let (held, version) = current.takePosted(upTo: last) {
          deliver(held.recall(), version: version)
        }
      })
  }

  /// Sends the latest value to `sink` and attaches it to the changes, so that none comes twice and
  /// none is missing between the two.
  ///
  /// The value is sent outside the serializer, for that is no delivery of the property's: others get
  /// what is written meanwhile at once, also from another thread. For `sink` it is put aside, and is
  /// sent next, until nothing has come. Inside the property's own delivery, though, the observer is
  /// attached after that. What is delivered later and was visible before is left out.
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
    // Before the value is sent: a change that its delivery leads to must find the observer.
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

  /// Whether the delivery in progress is of a later change. Inside the serializer.
  @inline(__always)
  fileprivate func delivers(laterThan version: UInt64) -> Bool {
    deliveredVersion.load(ordering: .relaxed) > version
  }

  /// The latest value and its version. Inside the serializer.
  package var latestVersion: (value: Value, version: UInt64) {
    var version: UInt64 = 0
    let value = current.read(&version)
    return (value, version)
  }

  /// Does `inside` inside the serializer: now, or when whoever is inside leaves; `afterwards` outside.
  package func inTurn(_ inside: @escaping () -> Void, afterwards: @escaping () -> Void = {}) {
    root.perform(DeferredClosure(inside: inside, afterwards: afterwards))
  }

  /// Changes the value and delivers it, by a caller that is inside.
  ///
  /// - Parameter willDeliver: gets the new value's version first.
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

  /// The value changes at once; its delivery follows the one in progress (contract Y4).
  private func changeRecursively<Result>(_ change: () -> Result) -> Result {
    if current.isChanging { refuseNesting() }
    let result = change()
    Records.mark("changed inside its own delivery", about: fanOut.observers.identity)
    var version: UInt64 = 0
    let held = Held(current.read(&version))
    root.performOnLeaving(
      DeferredDelivery { [self, version] in deliver(held.recall(), version: version) })
    return result
  }

  /// Stops the program when the calling thread is changing the value in place.
  private func refuseNesting() {
    guard root.isMine else { return }
    let identity = fanOut.observers.identity
    let message = RecursionMessage.text(
      RecursionMessage.ofOwnChange(of: identity.name), details: [])
    Records.tell(message, about: identity)
    fatalError(message)
  }
}

/// Delivers something later, inside the serializer; nothing of it is left afterwards.
final class DeferredDelivery: DeferredAction, @unchecked Sendable {
  // Safety: run once, by the one inside the serializer.
  private let deliver: () -> Void

  init(_ deliver: @escaping () -> Void) { self.deliver = deliver }

  override var isDoneInside: Bool { true }
  override func run() { deliver() }
}

/// What becomes of a change on its way to a new observer.
private enum Phase {
  /// It is put aside: the observer has not got what came before.
  static let behind: UInt8 = 0
  /// The same, and something has been put aside.
  static let missing: UInt8 = 1
  /// It is passed on.
  static let upToDate: UInt8 = 2
}

/// Passes on the changes that an observer has not seen yet, once it has got the first value.
private final class Follower<Value>: Observer<Value, Never> {
  private let root: Root<Value, Never>
  private let cell: PropertyCell<Value>
  private let seen: UInt64
  private let phase = Atomic<UInt8>(Phase.behind)
  // What was put aside is touched only inside the cell's serializer.
  @exclusivity(unchecked) private var missed: ContiguousArray<Held<Value>> = []
  @exclusivity(unchecked) private var hasEnded = false

  init(_ root: Root<Value, Never>, of cell: PropertyCell<Value>, since seen: UInt64) {
    self.root = root
    self.cell = cell
    self.seen = seen
  }

  /// Lets changes through from now on, if none was put aside.
  func isUpToDate() -> Bool {
    phase.compareExchange(
      expected: Phase.behind, desired: Phase.upToDate, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// What was put aside. Inside the serializer.
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

  // Out of line, because a function in which a `Held` is made looks up its type on entry.
  @inline(never)
  private func putAsideOrSend(_ value: Value) {
    if putsAside() { missed.append(Held(value)) } else { root.send(value) }
  }

  /// A property's signal ends only by completion: who is interrupted has come too late for it.
  override func terminate(_ termination: Termination<Never>) {
    // Of a start that was disposed of, what is put aside here may be in use: its root is over by then.
    guard !root.isOver else { return }
    if isBehind, putsAside() { hasEnded = true } else { root.send(.completed) }
  }

  /// Whether the observer may not have got all that came before.
  @inline(__always)
  private var isBehind: Bool { phase.load(ordering: .acquiring) != Phase.upToDate }

  /// Whether what comes has to be put aside; notes that it is.
  private func putsAside() -> Bool {
    phase.compareExchange(
      expected: Phase.behind, desired: Phase.missing, ordering: .acquiringAndReleasing
    ).original != Phase.upToDate
  }
}

/// Sends a property's latest value, then its changes.
final class PropertyRecipe<Value>: Recipe<Value, Never>, @unchecked Sendable {
  // Safety: immutable.
  private let cell: PropertyCell<Value>
  /// Keeps a composed property going.
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
