internal import Synchronization
internal import VarveProbe

/// Something that a run started and can interrupt: a root, or an edge into somebody else's signal.
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
final class Run: Disposable, @unchecked Sendable {
  // Safety: `members` is atomic; the links of a `RunList` are changed by its owner alone.
  /// The newest member; `ended` after the end.
  private let members = Atomic<UInt>(0)
  private static let ended: UInt = 1

  unowned(unsafe) var previousInList: Run?
  var nextInList: Run?
  var isInList = false

  /// Whether somebody waits for the interruption that disposal sends, in the place where the events
  /// come. Nobody does for what an operator started.
  private let isHeard: Bool

  init(isHeard: Bool = false) { self.isHeard = isHeard }

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

  /// Interrupts everything that the run set in motion, and lets go of it.
  func dispose() { end(inItsPlace: isHeard) }

  /// The same after the end, of which nobody need hear.
  func end() { end(inItsPlace: false) }

  private func end(inItsPlace: Bool) {
    var newest = members.exchange(Self.ended, ordering: .acquiringAndReleasing)
    guard newest != Self.ended else { return }
    // The common run has one member, and an array would be its second allocation.
    if let only = member(newest), only.nextInRun == 0 {
      if inItsPlace { only.interruptInItsPlace {} } else { only.interrupt() }
      return release(newest)
    }
    var upstreamFirst: [RunMember] = []
    while let current = member(newest) {
      upstreamFirst.append(current)
      let older = current.nextInRun
      release(newest)
      newest = older
    }
    Run.interrupt(upstreamFirst, inItsPlace: inItsPlace)
  }

  /// Interrupts from downstream to upstream. A member that delivers just now on another thread is
  /// interrupted by that thread, and those upstream only then: the observer hears of the end before
  /// anything is cleaned up.
  private static func interrupt(_ upstreamFirst: [RunMember], inItsPlace: Bool) {
    var remaining = upstreamFirst
    guard let downstream = remaining.popLast() else { return }
    if inItsPlace {
      downstream.interruptInItsPlace { interrupt(remaining, inItsPlace: false) }
    } else if remaining.isEmpty {
      downstream.interrupt()
    } else {
      downstream.interrupt { interrupt(remaining, inItsPlace: false) }
    }
  }

  deinit {
    // A run that was never started through, or whose members all ended without telling it.
    var newest = members.load(ordering: .relaxed)
    while newest != Self.ended, let current = member(newest) {
      let next = current.nextInRun
      release(newest)
      newest = next
    }
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
    number = feed != 0 ? feed : Edge.newNumber()
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
