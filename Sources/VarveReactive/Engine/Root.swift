internal import CVarveSystem
internal import Synchronization
internal import VarveProbe

// The engine: how an event travels from a `send` to the observers. `Streams` has the public types.
//
// 1. It enters. A `Root` is the input of a pipe, of a run, or of an operator with several inputs. A
//    root is a `Serializer`: one thread at a time is inside, and nothing downstream needs a lock.
//    Another thread leaves its request (attach, detach, end) as a `DeferredAction`; a sender waits,
//    and `WaitForGraph` detects circular waits.
// 2. It passes stages. A `Stage` is an operator at work on one input. It forwards a value, puts it
//    into a `Held`, or swallows it for a stated reason. A `Link` leads from each stage to the next
//    observer.
// 3. It fans out. A signal's `FanOut` delivers to its `ObserverList`, each entry of which is a
//    `Subscription`, the disposable that `observe` returns.
// 4. It changes threads. A `HandOff` carries values from one serializer to a root that a scheduler
//    serves; an operator with several inputs has an `Inlet` into its root for each of them.
// 5. It ends. The end takes the same path, once. What fed the stream is released after the
//    serializer has been left; `TerminationTrampoline` and `DeepRelease` keep the stack flat.
//
// A cold stream has all of this once per start: a `Recipe` says how to begin, and a `Run` holds
// what was begun. `Identity` says which stream it is and what it is called. Only `Recording` knows
// about traces: the taps that are placed in front of observers while a recording is running, and
// what they write.
//
// Variables. One thread at a time is inside a serializer, so what is used there needs no protection.
// But Swift checks each use of a class's stored property for exclusive access, and that check costs as
// much as a stage. So such a variable is `@exclusivity(unchecked)`, or, when it is a word, an `Atomic`
// that is loaded and stored relaxed. Neither is used for another reason; an `Atomic` that threads share
// has an order, or a `Safety:` comment that speaks of it.

/// The point where events enter: the input of a signal or of a started producer, and the output of
/// a stage that has several inputs or changes threads. It owns the serializer of everything
/// downstream.
final class Root<Value, Failure: Error>: Serializer, @unchecked Sendable {
  // Safety: `downstream`, `tap` and `resources` are touched only inside the serializer, except by
  // `prepare`, before other code knows the root.
  private var downstream: Observer<Value, Failure>?
  private var tap: Observer<Value, Failure>?
  private var resources: (any Disposable)?
  /// The next observer; 0 before `prepare` and after the end.
  private let next = Atomic<UInt>(0)
  private let isEnded = Atomic<Bool>(false)
  /// The stream that the root delivers.
  let reference: StreamReference
  private let isRecorded: Bool
  /// Remembers the cause of the latest value, if that is wanted.
  let note: LatestCause<Value, Failure>?

  /// - Parameters:
  ///   - run: the number of the producer's start that this root is the source of; 0 for other
  ///     roots.
  ///   - isRecorded: false when another root records the same stream.
  ///   - note: remembers where values come from while a recording is running.
  init(
    _ reference: StreamReference, run: UInt64 = 0, isRecorded: Bool = true,
    note: LatestCause<Value, Failure>? = nil
  ) {
    self.reference = reference
    self.isRecorded = isRecorded
    self.note = note
    super.init()
    feed.store(run, ordering: .relaxed)
  }

  /// Sets the observer that receives events and the resources to dispose of after the end.
  func prepare(into downstream: Observer<Value, Failure>, resources: (any Disposable)? = nil) {
    self.downstream = downstream
    self.resources = resources
    next.store(Link.word(downstream), ordering: .relaxed)
  }

  /// Announces the streams and subscriptions downstream to a recording before the first event,
  /// because a stream that never delivers has subscriptions too.
  @inline(__always)
  func introduce() {
    if Gate.isOpen { introduceNow() }
  }

  @inline(never)
  private func introduceNow() {
    perform(
      DeferredClosure(inside: { [self] in
        if Gate.word != gate { followGate() }
      }))
  }

  override var rootStream: StreamIdentity? { reference.identity }
  override var isOver: Bool {
    @inline(__always) get { isEnded.load(ordering: .relaxed) }
  }
  override var firstObserver: AnyObserver? { downstream }

  /// Delivers a value, waiting while another thread delivers.
  @inline(__always)
  func send(_ value: Value) {
    guard next.load(ordering: .relaxed) != 0 else { return }
    let owner = vv_frame_address()
    guard enter(owner) else { return }
    deliver(value)
    leave(owner)
  }

  /// Delivers a value that came through the subscription `feed`, for roots that have several.
  func send(_ value: Value, from feed: UInt64) {
    guard next.load(ordering: .relaxed) != 0 else { return swallowLate(from: feed) }
    let owner = vv_frame_address()
    guard enter(owner) else { return swallowLate(from: feed) }
    self.feed.store(feed, ordering: .relaxed)
    if isOver { swallowLate(from: feed) } else { deliver(value) }
    leave(owner)
  }

  /// Runs `body` inside when its turn has come, on behalf of an input that came through `feed`.
  /// After the end, the current value is swallowed instead.
  @inline(__always)
  func takeTurn(from feed: UInt64, _ body: () -> Void) {
    if !takeTurn(ifGoingOnFrom: feed, body) { swallowLate(from: feed) }
  }

  /// Runs `body` in the same way for a postponed turn, which has no current value. Returns false
  /// after the end; the caller then accounts for what it holds.
  @inline(__always)
  @discardableResult
  func takeTurn(ifGoingOnFrom feed: UInt64, _ body: () -> Void) -> Bool {
    guard next.load(ordering: .relaxed) != 0 else { return false }
    let owner = vv_frame_address()
    guard enter(owner) else { return false }
    self.feed.store(feed, ordering: .relaxed)
    let goesOn = !isOver
    if goesOn { body() }
    leave(owner)
    return goesOn
  }

  /// Accounts for an input's value that arrived after the end.
  @inline(never)
  private func swallowLate(from feed: UInt64) {
    if InputAccount.isKept { InputAccount(of: reference, from: feed).swallow(.ended) }
  }

  /// Delivers a value. The caller must be inside.
  @inline(__always)
  func deliver(_ value: Value) {
    beginDelivery()
    if Gate.word != gate { followGate() }
    Link.deliver(value, to: next.load(ordering: .relaxed), Observer<Value, Failure>.self)
    endDelivery()
  }

  /// Delivers a value in the middle of another's delivery. The caller must be inside.
  func deliverNested(_ value: Value) {
    Link.deliver(value, to: next.load(ordering: .relaxed), Observer<Value, Failure>.self)
  }

  /// Delivers the result of `make`, which is called only if an observer would receive it. In the
  /// middle of a delivery by the same thread, it is delivered at once.
  func send(ifWanted make: () -> Value) {
    if isMine {
      if !isOver, isHeard { deliverNested(make()) }
      return
    }
    let owner = vv_frame_address()
    guard enter(owner) else { return }
    if !isOver, isHeard { deliver(make()) }
    leave(owner)
  }

  /// Whether any observer receives what is delivered. Inside the serializer only.
  private var isHeard: Bool { downstream.map { !$0.hasEnough } ?? false }

  /// Delivers every value that `iterate` passes to its argument, then completes. Leaves the
  /// serializer only when other threads want it.
  func deliverAll(_ iterate: ((Value) -> Bool) -> Void) {
    let owner = vv_frame_address()
    guard enter(owner) else { return }
    var isInside = true
    iterate { value in
      if isWanted, !giveWay(owner) {
        isInside = false
        return false
      }
      guard !isOver else { return false }
      deliver(value)
      return true
    }
    guard isInside else { return }
    finish(.completed)
    leave(owner)
  }

  /// Leaves the serializer to the threads that want it, then enters it again.
  @inline(never)
  private func giveWay(_ owner: UInt) -> Bool {
    leave(owner)
    return enter(owner)
  }

  /// Ends the stream, at once or right after the delivery in progress.
  func send(_ termination: Termination<Failure>) {
    guard !isOver else { return }
    perform(DeferredTermination(self, termination))
  }

  /// Ends the stream. The caller must be inside.
  func finish(_ termination: Termination<Failure>) {
    guard !isOver else { return }
    isEnded.store(true, ordering: .relaxed)
    beginDelivery()
    if Gate.word != gate { followGate() }
    let last = next.exchange(0, ordering: .relaxed)
    Link.deliver(termination, to: last, Observer<Value, Failure>.self)
    endDelivery()
    letGo()
  }

  /// Ends the stream without notifying observers. The caller must be inside.
  func close() {
    guard !isOver else { return }
    isEnded.store(true, ordering: .relaxed)
    next.store(0, ordering: .relaxed)
    letGo()
  }

  override func interrupt() { send(.interrupted) }

  override func interrupt(then next: @escaping () -> Void) {
    guard !isOver else { return next() }
    perform(DeferredClosure(inside: { [self] in finish(.interrupted) }, afterwards: next))
  }

  /// Stops delivering, releases what fed the stream, and delivers the interruption as soon as the
  /// scheduler runs it.
  func interrupt(on scheduler: any Scheduler, then next: @escaping () -> Void) {
    guard !isOver else { return next() }
    perform(
      DeferredClosure(
        inside: { [self] in silence() },
        afterwards: { [self] in
          scheduler.hop { [self] in deliverInterruption() }
          next()
        }))
  }

  /// Stops admitting events; the observer downstream is still to receive the end. The caller must
  /// be inside.
  private func silence() {
    guard !isOver else { return }
    isEnded.store(true, ordering: .relaxed)
    next.store(0, ordering: .relaxed)
    let remains = Remains(nil, nil, resources)
    resources = nil
    performOnLeaving(remains)
  }

  /// Delivers the end that `silence` left undelivered.
  private func deliverInterruption() {
    perform(
      DeferredClosure(inside: { [self] in
        guard let downstream else { return }
        let first = tap ?? downstream
        next.store(Link.word(gate != 0 ? note ?? first : first), ordering: .relaxed)
        beginDelivery()
        if Gate.word != gate { followGate() }
        let last = next.exchange(0, ordering: .relaxed)
        Link.deliver(Termination.interrupted, to: last, Observer<Value, Failure>.self)
        endDelivery()
        letGo()
      }))
  }

  /// Ends the stream because it can no longer be reached.
  func abandon() {
    guard !isOver else { return }
    perform(DeferredClosure(inside: { [self] in close() }))
  }

  /// Releases what fed the stream, outside the serializer, where user code may run.
  private func letGo() {
    let remains = Remains(downstream, tap, resources)
    downstream = nil
    tap = nil
    resources = nil
    performOnLeaving(remains)
  }

  @inline(never)
  private func followGate() {
    let word = Gate.word
    gate = word
    guard let downstream, next.load(ordering: .relaxed) != 0 else { return }
    Records.keepingRecalled {
      tap =
        isRecorded
        ? Tap.make(
          for: reference, feed: nil, in: self, delivering: downstream, gate: word, after: tap) : nil
      let first = tap ?? downstream
      note?.lead(to: first)
      next.store(Link.word(word != 0 ? note ?? first : first), ordering: .relaxed)
      downstream.followAll(word)
    }
  }
}

/// The end of a root, as a deferred action.
private final class DeferredTermination<Value, Failure: Error>: DeferredAction, @unchecked Sendable
{
  // Safety: immutable; run inside the root's serializer.
  private let root: Root<Value, Failure>
  private let termination: Termination<Failure>

  init(_ root: Root<Value, Failure>, _ termination: Termination<Failure>) {
    self.root = root
    self.termination = termination
  }

  override func run() { root.finish(termination) }
}

/// What is left of a root after its end, kept until the serializer is left.
private final class Remains: DeferredAction, @unchecked Sendable {
  // Safety: run and then dropped by one thread.
  private var objects: (AnyObject?, AnyObject?)
  private let resources: (any Disposable)?

  init(_ downstream: AnyObject?, _ tap: AnyObject?, _ resources: (any Disposable)?) {
    objects = (downstream, tap)
    self.resources = resources
  }

  override func afterwards() {
    resources?.dispose()
    objects = (nil, nil)
  }
}
