internal import Synchronization
internal import VarveProbe

/// Something that a run started and can interrupt: a root, or a subscription to a signal that
/// exists apart from the run.
class RunMember: @unchecked Sendable {
  // Safety: `nextInRun` is written by the thread that pushes the member, before it is published.
  fileprivate var nextInRun: UInt = 0

  /// Ends the member's deliveries with `interrupted`, unless they have already ended.
  func interrupt() {}

  /// Interrupts the member and calls `next` once the interruption has been delivered.
  func interrupt(then next: @escaping () -> Void) {
    interrupt()
    next()
  }

  /// Interrupts the member where its events are delivered: on its scheduler, if it has one. In that
  /// case nothing else is delivered meanwhile, and `next` is not postponed.
  func interruptInItsPlace(then next: @escaping () -> Void) { interrupt(then: next) }
}

/// One start of a producer: what it set in motion, and how to stop it.
///
/// The members form a stack, the most downstream at the bottom. When the run ends, for whatever
/// reason, all members are interrupted from downstream to upstream; those that have already ended
/// ignore it.
///
/// A run also keeps the inputs that its start handlers received, so that it continues even if a
/// handler keeps none. The objects behind these inputs refer to the run in turn: a run that an
/// operator started keeps itself alive until it ends. A run that the user started is kept alive by
/// its `RunHandle`.
final class Run: Disposable, @unchecked Sendable {
  // Safety: `members` and `kept` are atomic; the links of a `RunList` are changed only by its
  // owner.
  /// The newest member; `ended` after the end.
  private let members = Atomic<UInt>(0)
  /// The object that the start asked to keep, if any: an input, a handle, or a `Pair`.
  private let kept = Atomic<UInt>(0)
  private static let ended: UInt = 1

  unowned(unsafe) var previousInList: Run?
  var nextInList: Run?
  var isInList = false

  /// The recipient of the interruption that a disposal sends, in the place where events arrive.
  enum Recipient {
    /// None: an operator started the run.
    case nobody
    case observer
    /// The observers of a signal whose root is the most downstream member.
    case signal
  }

  private let recipient: Recipient

  init(heardBy recipient: Recipient = .nobody) { self.recipient = recipient }

  /// Whether the run has ended or was disposed of.
  var isDisposed: Bool { members.load(ordering: .acquiring) == Self.ended }

  /// Adds a member to the run, or interrupts it if the run has ended.
  func adopt(_ member: RunMember) {
    let new = UInt(bitPattern: Unmanaged.passRetained(member).toOpaque())
    var old = members.load(ordering: .relaxed)
    while true {
      if old == Self.ended {
        Unmanaged.passUnretained(member).release()
        return member.interrupt()
      }
      member.nextInRun = old
      let (exchanged, current) = members.weakCompareExchange(
        expected: old, desired: new, successOrdering: .acquiringAndReleasing,
        failureOrdering: .relaxed)
      if exchanged { return }
      old = current
    }
  }

  /// Keeps an input, or the handle of another run that is a part of this one, until the end. Called
  /// only by the thread that starts the run.
  func keep(_ input: AnyObject) {
    var all = input
    if kept.load(ordering: .relaxed) != 0, let earlier = takeKept() { all = Pair(earlier, input) }
    kept.store(
      UInt(bitPattern: Unmanaged.passRetained(all).toOpaque()), ordering: .sequentiallyConsistent)
    // The thread that ends the run closes `members` before it looks for kept objects.
    if members.load(ordering: .sequentiallyConsistent) == Self.ended { forsake() }
  }

  /// Whether this run alone keeps something going.
  var keepsInputs: Bool { kept.load(ordering: .relaxed) != 0 }

  /// Releases the inputs, because the run's handle is gone or the run has ended.
  fileprivate func forsake() { withExtendedLifetime(takeKept()) {} }

  private func takeKept() -> AnyObject? {
    UnsafeRawPointer(bitPattern: kept.exchange(0, ordering: .acquiringAndReleasing)).map {
      Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue()
    }
  }

  /// Interrupts everything that the run set in motion, and releases it.
  func dispose() { end(inItsPlace: recipient == .observer) }

  /// Disposes of the run after its end, when no observer awaits an interruption.
  func end() { end(inItsPlace: false) }

  fileprivate func end(inItsPlace: Bool) {
    var newest = members.exchange(Self.ended, ordering: .sequentiallyConsistent)
    guard newest != Self.ended else { return }
    let kept = kept.load(ordering: .sequentiallyConsistent) == 0 ? nil : takeKept()
    // A typical run has one member, and an array would be its second allocation.
    if let only = member(newest), only.nextInRun == 0 {
      if inItsPlace { only.interruptInItsPlace {} } else { only.interrupt() }
      release(newest)
      return withExtendedLifetime(kept) {}
    }
    var upstreamFirst: [RunMember] = []
    while let current = member(newest) {
      upstreamFirst.append(current)
      let older = current.nextInRun
      release(newest)
      newest = older
    }
    // The signal receives the interruption from upstream, where it is on its scheduler.
    if inItsPlace, recipient == .signal, upstreamFirst.count > 1 { upstreamFirst.removeLast() }
    Run.interrupt(upstreamFirst, inItsPlace: inItsPlace, keeping: kept)
  }

  /// Interrupts members from downstream to upstream. A member that is delivering on another thread
  /// is interrupted by that thread, and those upstream only afterwards: the observer receives the
  /// end before anything is cleaned up. For the same reason, the inputs are released last.
  private static func interrupt(
    _ upstreamFirst: [RunMember], inItsPlace: Bool, keeping kept: AnyObject?
  ) {
    var remaining = upstreamFirst
    guard let downstream = remaining.popLast() else { return }
    if inItsPlace {
      downstream.interruptInItsPlace { interrupt(remaining, inItsPlace: false, keeping: kept) }
    } else if remaining.isEmpty {
      downstream.interrupt()
    } else {
      downstream.interrupt { interrupt(remaining, inItsPlace: false, keeping: kept) }
    }
    withExtendedLifetime(kept) {}
  }

  deinit {
    // The run's start was never completed, or all its members ended without notifying it.
    var newest = members.load(ordering: .relaxed)
    while newest != Self.ended, let current = member(newest) {
      let next = current.nextInRun
      release(newest)
      newest = next
    }
    forsake()
  }

  private func member(_ bits: UInt) -> RunMember? {
    UnsafeRawPointer(bitPattern: bits).map {
      Unmanaged<RunMember>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private func release(_ bits: UInt) {
    UnsafeRawPointer(bitPattern: bits).map { Unmanaged<RunMember>.fromOpaque($0).release() }
  }
}

/// A pair of objects that a run keeps.
private final class Pair: Sendable {
  // Safety: held, never used.
  private nonisolated(unsafe) let objects: (AnyObject, AnyObject)

  init(_ first: AnyObject, _ second: AnyObject) { objects = (first, second) }
}

/// The user's reference to a run, which keeps the run's inputs while it exists (contract P14).
///
/// It is separate from the run because the objects behind those inputs refer to the run.
final class RunHandle: Disposable {
  let run: Run

  init(_ run: Run) { self.run = run }

  deinit { run.forsake() }

  var isDisposed: Bool { run.isDisposed }

  func dispose() { run.end(inItsPlace: true) }
}

/// The end of a started chain: forwards every event to the observer, then ends the run.
final class RunEnd<Value, Failure: Error>: Observer<Value, Failure> {
  private let observer: Observer<Value, Failure>
  private let run: Run
  private let number: UInt64
  private let stack: UInt32

  init(_ observer: Observer<Value, Failure>, run: Run) {
    self.observer = observer
    self.run = run
    stack = Stacks.currentIfRecorded
    let feed = observer.feed
    number = feed != 0 ? feed : Subscription.newNumber()
  }

  override var feed: UInt64 { number }
  override var startedBy: UInt32 { stack }
  override var fedStream: UInt32 { observer.fedStream }
  override var passesTo: AnyObserver? { observer }
  override func follow(_ gate: UInt32, others: inout [AnyObserver]) -> AnyObserver? { observer }

  override var hasEnough: Bool { run.isDisposed || observer.hasEnough }

  override func receive(_ value: Value) { observer.receive(value) }

  override func complete() {
    if run.isDisposed { observer.interrupt() } else { observer.complete() }
    run.end()
  }

  override func terminate(_ termination: Termination<Failure>) {
    // If the observer itself disposed of the run during the delivery that also ends the stream, it
    // asked for an interruption and receives one.
    observer.terminate(run.isDisposed ? .interrupted : termination)
    run.end()
  }
}
