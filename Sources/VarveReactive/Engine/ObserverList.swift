internal import Synchronization
internal import VarveProbe

/// Those who observe a signal, in the order in which they came.
///
/// Observers are attached and detached inside the signal's serializer but never during a delivery, so
/// that the delivering loop needs neither a copy of the list nor a retain for each observer.
final class ObserverList {
  let serializer: Serializer
  let identity: StreamIdentity
  private let isOver = Atomic<Bool>(false)
  /// The observers, as the delivering loop reads them: their number, then a word for each.
  private let words: Atomic<UInt>
  private var capacity = 0
  /// The same observers as subscriptions, which own them; each knows its place here. Among more
  /// than a few, who has left keeps a place, without an observer and with 0 for a word, until
  /// `compact`.
  // No change of it runs foreign code.
  @exclusivity(unchecked) private(set) var subscriptions: ContiguousArray<Subscription> = []
  /// How many of them have left.
  private var vacated = 0
  /// How many places were looked at because of somebody who left, in all: what tests measure.
  fileprivate var steps = 0
  /// Whether somebody holds the signal.
  private var isReachable = true
  /// Lets go of what feeds the signal.
  private var upkeep: (() -> Void)?

  init(in serializer: Serializer, _ identity: StreamIdentity) {
    self.serializer = serializer
    self.identity = identity
    words = Atomic(UInt(bitPattern: nobody))
  }

  deinit {
    if capacity > 0 { buffer.deallocate() }
  }

  /// Says how to let go of what feeds the signal; before anybody else knows the observer list.
  func prepare(upkeep: @escaping () -> Void) { self.upkeep = upkeep }

  /// The number of observers and then a word for each, valid until the serializer is left.
  @inline(__always)
  var loop: UnsafePointer<UInt> {
    UnsafePointer(bitPattern: words.load(ordering: .relaxed)).unsafelyUnwrapped
  }

  /// How many observers, the one whose turn it is included, the delivery in progress has to reach:
  /// where a recursive send came from can be told by it.
  let remaining = Atomic<UInt>(0)

  /// The observer whose turn it is in the delivery in progress. Inside the serializer.
  var current: AnyObserver? {
    let index = subscriptions.count - Int(remaining.load(ordering: .relaxed))
    return subscriptions.indices.contains(index) ? subscriptions[index].sink : nil
  }

  /// Whether the signal has ended.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  /// Whether what else is delivered in the current delivery reaches nobody. Inside the serializer.
  var hasEnough: Bool {
    hasEnded || subscriptions.allSatisfy { $0.isDisposed || $0.sink?.hasEnough ?? true }
  }

  /// Attaches a subscription's observer. When the signal has ended, the observer is handed over
  /// instead: to be interrupted when the serializer has been left, for that is no delivery. Inside
  /// the serializer.
  func insert(_ subscription: Subscription) -> AnyObserver? {
    guard !subscription.isDisposed, let sink = subscription.sink else { return nil }
    guard !isOver.load(ordering: .relaxed) else { return subscription.takeSink() }
    subscription.index = subscriptions.count
    subscriptions.append(subscription)
    appendWord(word(of: sink))
    let gate = serializer.gate
    if gate != 0 || Gate.isOpen {
      introduce(subscription, sink, Gate.word)
      if gate != 0 { sink.follow(gate) }
    }
    return nil
  }

  /// Detaches a subscription's observer and hands it over for release. Inside the serializer.
  func remove(_ subscription: Subscription) -> AnyObserver? {
    let place = subscription.index
    let sink = subscription.takeSink()
    guard subscriptions.indices.contains(place), subscriptions[place] === subscription else {
      return sink
    }
    if subscriptions.count > few {
      replaceWord(at: place, by: 0)
      vacated += 1
      if vacated * 8 > subscriptions.count { compact() }
    } else {
      subscriptions.remove(at: place)
      removeWord(at: place)
      for index in place..<subscriptions.count { subscriptions[index].index = index }
      steps += subscriptions.count - place
    }
    tellEnd(of: subscription, .disposed)
    if subscriptions.isEmpty, !isReachable { abandon() }
    return sink
  }

  /// Moves everybody up to the first vacant place.
  private func compact() {
    var count = 0
    for index in subscriptions.indices where subscriptions[index].sink != nil {
      subscriptions[index].index = count
      if count < index { subscriptions.swapAt(count, index) }
      replaceWord(at: count, by: buffer[index + 1])
      count += 1
    }
    steps += subscriptions.count
    subscriptions.removeSubrange(count...)
    buffer.pointee = UInt(count)
    vacated = 0
  }

  /// Tells all observers' streams what the gate says.
  func follow(_ gate: UInt32) {
    for subscription in subscriptions {
      guard let sink = subscription.sink else { continue }
      introduce(subscription, sink, gate)
      sink.follow(gate)
    }
  }

  /// Notes that nobody holds the signal any more.
  func signalWentAway() {
    serializer.perform(
      DeferredClosure(inside: { [self] in
        isReachable = false
        if subscriptions.isEmpty { abandon() }
      }))
  }

  /// Marks the end; the caller tells the observers that it returns. They and what feeds the signal
  /// are released when the serializer is left. Inside the serializer.
  func end() -> Ending {
    isOver.store(true, ordering: .releasing)
    let ending = Ending(subscriptions, upkeep)
    upkeep = nil
    subscriptions = []
    vacated = 0
    if capacity > 0 { buffer.pointee = 0 }
    return ending
  }

  /// Tells the trace that a subscription has gone.
  func tellEnd(of subscription: Subscription, _ reason: EndReason) {
    let gate = Gate.word
    // Also of a stream that is no longer wanted: what began in the trace ends there.
    guard gate != 0, subscription.introducedIn == gate >> 8 || identity.isWanted(by: gate) else {
      return
    }
    Records.ended(identity, subscription: subscription.number, reason, gate: gate)
  }

  /// Notes that nobody is left who could deliver anything, the end included: what fed the signal was
  /// released without a word.
  func senderWentAway() {
    guard !hasEnded else { return }
    serializer.perform(DeferredClosure(inside: { [self] in abandon() }))
  }

  /// Ends the signal without telling anybody: nobody could hear, or nobody could send. A
  /// subscription and its observer list own each other until then.
  private func abandon() {
    guard !isOver.load(ordering: .relaxed) else { return }
    let ending = end()
    for subscription in ending.subscriptions { _ = ending.takeSink(of: subscription) }
    serializer.performOnLeaving(ending)
  }

  /// Tells the trace of a subscription, once in each recording.
  private func introduce(_ subscription: Subscription, _ sink: AnyObserver, _ gate: UInt32) {
    guard gate != 0, subscription.introducedIn != gate >> 8, identity.isWanted(by: gate) else {
      return
    }
    subscription.introducedIn = gate >> 8
    Records.subscribed(
      identity, subscription: subscription.number, fed: sink.fedStream, stack: subscription.stack,
      gate: gate)
  }

  /// What is released after the signal's end, outside the serializer.
  final class Ending: DeferredAction, @unchecked Sendable {
    // Safety: filled inside the serializer, emptied by the one thread that leaves it.
    private(set) var subscriptions: ContiguousArray<Subscription>
    private var sinks: [AnyObserver] = []
    private let upkeep: (() -> Void)?

    init(_ subscriptions: ContiguousArray<Subscription>, _ upkeep: (() -> Void)?) {
      self.subscriptions = subscriptions
      self.upkeep = upkeep
    }

    /// Takes an observer out of its subscription, and keeps it until the serializer is left.
    func takeSink(of subscription: Subscription) -> AnyObserver? {
      guard let sink = subscription.takeSink() else { return nil }
      sinks.append(sink)
      return sink
    }

    override func afterwards() {
      // It may let go of the last that held the signal upstream, and so on.
      if let upkeep { DeepRelease.perform(upkeep) }
      subscriptions = []
      sinks = []
    }
  }
}

extension Signal {
  /// How many places of observers were looked at because of some who left, in all.
  package var stepsOfLeaving: Int { fanOut.observers.steps }
}

// MARK: - The words that the delivering loop reads

extension ObserverList {
  private var buffer: UnsafeMutablePointer<UInt> {
    UnsafeMutablePointer(bitPattern: words.load(ordering: .relaxed)).unsafelyUnwrapped
  }

  private func appendWord(_ word: UInt) {
    let count = Int(buffer.pointee)
    if count == capacity { grow(to: max(2, capacity * 2)) }
    buffer[count + 1] = word
    buffer.pointee = UInt(count + 1)
  }

  private func replaceWord(at index: Int, by word: UInt) { buffer[index + 1] = word }

  private func word(of observer: AnyObserver) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(observer).toOpaque())
  }

  private func removeWord(at index: Int) {
    let count = Int(buffer.pointee)
    let hole = buffer + 1 + index
    hole.update(from: hole + 1, count: count - 1 - index)
    buffer.pointee = UInt(count - 1)
  }

  private func grow(to newCapacity: Int) {
    let new = UnsafeMutablePointer<UInt>.allocate(capacity: newCapacity + 1)
    new.initialize(repeating: 0, count: newCapacity + 1)
    new.update(from: buffer, count: capacity + 1)
    if capacity > 0 { buffer.deallocate() }
    words.store(UInt(bitPattern: new), ordering: .relaxed)
    capacity = newCapacity
  }
}

/// Up to how many observers move up at once when one before them leaves. Beyond that an eighth of the
/// places may be vacant, which a delivery passes over: so who leaves makes eight others move on the
/// average, at most, however many there are.
private let few = 128

// Safety: never written: `capacity` is 0 while `words` points here.
private nonisolated(unsafe) let nobody: UnsafeMutablePointer<UInt> = {
  let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
  word.initialize(to: 0)
  return word
}()
