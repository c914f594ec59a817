internal import Synchronization
internal import VarveProbe

/// Something that a run started and can interrupt: a root, or a subscription into somebody else's
/// signal.
class RunMember: @unchecked Sendable {
  // Safety: `nextInRun` is written by the one who pushes the member, before it is published.
  fileprivate var nextInRun: UInt = 0

  /// Ends the member's deliveries with `interrupted`, if they have not ended.
  func interrupt() {}

  /// Does the same, and `next` when the interruption has been delivered.
  func interrupt(then next: @escaping () -> Void) {
    interrupt()
    next()
  }

  /// Does the same where the member's events are delivered: on its scheduler, if it has one. Then
  /// nothing else is delivered meanwhile, and `next` is not put off.
  func interruptInItsPlace(then next: @escaping () -> Void) { interrupt(then: next) }
}

/// One start of a producer: what it set in motion, and how to stop it.
///
/// The members form a stack, the most downstream at the bottom. When the run ends, however it does,
/// all of them are interrupted from downstream to upstream; those that have ended take no notice.
///
/// A run also keeps the inputs that its start handlers got, so that it goes on though a handler kept
/// none. What the inputs lead to refers to the run in turn: a run that an operator started keeps
/// itself going until it ends. A run that the user started is kept going by its `RunHandle`.
final class Run: Disposable, @unchecked Sendable {
  // Safety: `members` and `kept` are atomic; the links of a `RunList` are changed by its owner alone.
  /// The newest member; `ended` after the end.
  private let members = Atomic<UInt>(0)
  /// What the start left to be kept, if anything: an input, a handle, or a `Pair`.
  private let kept = Atomic<UInt>(0)
  private static let ended: UInt = 1

  unowned(unsafe) var previousInList: Run?
  var nextInList: Run?
  var isInList = false

  /// Who waits for the interruption that disposal sends, in the place where the events come.
  enum Recipient {
    /// Nobody: an operator started the run.
    case nobody
    case observer
    /// Who observes a signal, whose root is the most downstream member.
    case signal
  }

  private let recipient: Recipient

  init(heardBy recipient: Recipient = .nobody) { self.recipient = recipient }

  /// Whether the run has ended or was disposed of.
  var isDisposed: Bool { members.load(ordering: .acquiring) == Self.ended }

  /// Makes the member a part of the run; interrupts it when the run has ended.
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

  /// Keeps an input, or the handle of another run that is a part of this one, until the end. Only by
  /// the thread that starts the run.
  func keep(_ input: AnyObject) {
    var all = input
    if kept.load(ordering: .relaxed) != 0, let earlier = takeKept() { all = Pair(earlier, input) }
    kept.store(
      UInt(bitPattern: Unmanaged.passRetained(all).toOpaque()), ordering: .sequentiallyConsistent)
    // Who ends the run closes `members` and then looks whether something is kept.
    if members.load(ordering: .sequentiallyConsistent) == Self.ended { forsake() }
  }

  /// Whether something is kept going by this run alone.
  var keepsInputs: Bool { kept.load(ordering: .relaxed) != 0 }

  /// Lets go of the inputs: nobody holds the run's handle any more, or it has ended.
  fileprivate func forsake() { withExtendedLifetime(takeKept()) {} }

  private func takeKept() -> AnyObject? {
    UnsafeRawPointer(bitPattern: kept.exchange(0, ordering: .acquiringAndReleasing)).map {
      Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue()
    }
  }

  /// Interrupts everything that the run set in motion, and lets go of it.
  func dispose() { end(inItsPlace: recipient == .observer) }

  /// The same after the end, of which nobody need hear.
  func end() { end(inItsPlace: false) }

  fileprivate func end(inItsPlace: Bool) {
    var newest = members.exchange(Self.ended, ordering: .sequentiallyConsistent)
    guard newest != Self.ended else { return }
    let kept = kept.load(ordering: .sequentiallyConsistent) == 0 ? nil : takeKept()
    // The common run has one member, and an array would be its second allocation.
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
    // The signal gets the interruption from upstream, where it is on its scheduler.
    if inItsPlace, recipient == .signal, upstreamFirst.count > 1 { upstreamFirst.removeLast() }
    Run.interrupt(upstreamFirst, inItsPlace: inItsPlace, keeping: kept)
  }

  /// Interrupts from downstream to upstream. A member that delivers just now on another thread is
  /// interrupted by that thread, and those upstream only then: the observer hears of the end before
  /// anything is cleaned up. So the inputs, too, are let go of last.
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
    // A run that was never started through, or whose members all ended without telling it.
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

/// Two things that a run keeps.
private final class Pair: Sendable {
  // Safety: held, not used.
  private nonisolated(unsafe) let objects: (AnyObject, AnyObject)

  init(_ first: AnyObject, _ second: AnyObject) { objects = (first, second) }
}

/// What the user holds of a run: while somebody does, the run's inputs are kept (contract P14).
///
/// It is apart from the run because what the inputs lead to refers to that.
final class RunHandle: Disposable {
  let run: Run

  init(_ run: Run) { self.run = run }

  deinit { run.forsake() }

  var isDisposed: Bool { run.isDisposed }

  func dispose() { run.end(inItsPlace: true) }
}

/// The end of a started chain: hands everything to the observer, then ends the run.
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
  override func follow(_ gate: UInt32) { observer.follow(gate) }

  override var hasEnough: Bool { run.isDisposed || observer.hasEnough }

  override func receive(_ value: Value) { observer.receive(value) }

  override func complete() {
    if run.isDisposed { observer.interrupt() } else { observer.complete() }
    run.end()
  }

  override func terminate(_ termination: Termination<Failure>) {
    // Disposed of by the observer itself, during the delivery that also ends the stream: it asked
    // for an interruption, and gets it.
    observer.terminate(run.isDisposed ? .interrupted : termination)
    run.end()
  }
}
