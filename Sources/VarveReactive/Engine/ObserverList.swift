internal import Synchronization
internal import VarveProbe

/// The observers of a signal, in the order in which they were attached.
///
/// Observers are attached and detached inside the signal's serializer but never during a delivery,
/// so the delivery loop needs neither a copy of the list nor a retain per observer.
final class ObserverList {
  let serializer: Serializer
  let identity: StreamIdentity
  private let isOver = Atomic<Bool>(false)
  /// The observers as the delivery loop reads them: their count, then a word for each.
  private let words: Atomic<UInt>
  private var capacity = 0
  /// The same observers as subscriptions, which own them; each knows its index here. In a list
  /// longer than `few`, a detached observer leaves a vacant slot, with no sink and a word of 0,
  /// until `compact`.
  // Safety: used inside the serializer, and no change to the list runs foreign code.
  @exclusivity(unchecked) private(set) var subscriptions: ContiguousArray<Subscription> = []
  /// The number of vacant slots.
  private var vacated = 0
  /// The total number of slots visited because observers were detached, for tests.
  fileprivate var steps = 0
  /// Whether the signal is still referenced.
  private var isReachable = true
  /// Releases what feeds the signal.
  private var upkeep: (() -> Void)?

  init(in serializer: Serializer, _ identity: StreamIdentity) {
    self.serializer = serializer
    self.identity = identity
    words = Atomic(UInt(bitPattern: nobody))
  }

  deinit {
    if capacity > 0 { buffer.deallocate() }
  }

  /// Sets the closure that releases what feeds the signal. Called before other code knows the list.
  func prepare(upkeep: @escaping () -> Void) { self.upkeep = upkeep }

  /// The number of observers and then a word for each; valid until the serializer is left.
  @inline(__always)
  var loop: UnsafePointer<UInt> {
    UnsafePointer(bitPattern: words.load(ordering: .relaxed)).unsafelyUnwrapped
  }

  /// The number of observers, including the current one, that the delivery in progress still has to
  /// reach. It tells where a recursive send came from.
  let remaining = Atomic<UInt>(0)

  /// The observer that the delivery in progress is calling. Inside the serializer only.
  var current: AnyObserver? {
    let index = subscriptions.count - Int(remaining.load(ordering: .relaxed))
    return subscriptions.indices.contains(index) ? subscriptions[index].sink : nil
  }

  /// Whether the signal has ended.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  /// Whether further values of the current delivery would reach no observer. Inside the serializer
  /// only.
  var hasEnough: Bool {
    hasEnded || subscriptions.allSatisfy { $0.isDisposed || $0.sink?.hasEnough ?? true }
  }

  /// Attaches a subscription's observer.
  ///
  /// If the signal has ended, returns the observer instead; the caller interrupts it after the
  /// serializer has been left, because that is not a delivery. Inside the serializer only.
  func insert(_ subscription: Subscription) -> AnyObserver? {
    guard !subscription.isDisposed, let sink = subscription.sink else { return nil }
    guard !isOver.load(ordering: .relaxed) else { return subscription.takeSink() }
    subscription.index = subscriptions.count
    subscriptions.append(subscription)
    appendWord(word(of: sink))
    let gate = serializer.gate
    if gate != 0 || Gate.isOpen {
      introduce(subscription, sink, Gate.word)
      if gate != 0 { sink.followAll(gate) }
    }
    return nil
  }

  /// Detaches a subscription's observer and returns it for release. Inside the serializer only.
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

  /// Removes the vacant slots.
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

  /// Introduces all observers and returns the first of them, for the gate's word to be passed on to;
  /// the others are added to `others`, the next one last.
  func follow(_ gate: UInt32, others: inout [AnyObserver]) -> AnyObserver? {
    for subscription in subscriptions {
      if let sink = subscription.sink { introduce(subscription, sink, gate) }
    }
    guard subscriptions.count > 1 else { return subscriptions.first?.sink }
    for subscription in subscriptions.reversed() {
      if let sink = subscription.sink { others.append(sink) }
    }
    return others.popLast()
  }

  /// Notes that the signal is no longer referenced.
  func signalWentAway() {
    serializer.perform(
      DeferredClosure(inside: { [self] in
        isReachable = false
        if subscriptions.isEmpty { abandon() }
      }))
  }

  /// Marks the end and returns the observers for the caller to notify. They and what feeds the
  /// signal are released when the serializer is left. Inside the serializer only.
  func end() -> Ending {
    isOver.store(true, ordering: .releasing)
    let ending = Ending(subscriptions, upkeep)
    upkeep = nil
    subscriptions = []
    vacated = 0
    if capacity > 0 { buffer.pointee = 0 }
    return ending
  }

  /// Records the end of a subscription.
  func tellEnd(of subscription: Subscription, _ reason: EndReason) {
    let gate = Gate.word
    // Includes streams that are no longer wanted: a subscription that began in the trace ends
    // there.
    guard gate != 0, subscription.introducedIn == gate >> 8 || identity.isWanted(by: gate) else {
      return
    }
    Records.ended(identity, subscription: subscription.number, reason, gate: gate)
  }

  /// Notes that no sender remains, not even for the end: what fed the signal was released without
  /// sending one.
  func senderWentAway() {
    guard !hasEnded else { return }
    serializer.perform(DeferredClosure(inside: { [self] in abandon() }))
  }

  /// Ends the signal without notifying observers, because there are none or because no sender
  /// remains. Until then, a subscription and its observer list own each other.
  private func abandon() {
    guard !isOver.load(ordering: .relaxed) else { return }
    let ending = end()
    for subscription in ending.subscriptions { _ = ending.takeSink(of: subscription) }
    serializer.performOnLeaving(ending)
  }

  /// Records a subscription, once per recording.
  private func introduce(_ subscription: Subscription, _ sink: AnyObserver, _ gate: UInt32) {
    guard gate != 0, subscription.introducedIn != gate >> 8, identity.isWanted(by: gate) else {
      return
    }
    subscription.introducedIn = gate >> 8
    Records.subscribed(
      identity, subscription: subscription.number, fed: sink.fedStream, stack: subscription.stack,
      gate: gate)
  }

  /// The objects to release after the signal's end, outside the serializer.
  final class Ending: DeferredAction, @unchecked Sendable {
    // Safety: filled inside the serializer, emptied by the one thread that leaves it.
    private(set) var subscriptions: ContiguousArray<Subscription>
    private var sinks: [AnyObserver] = []
    private let upkeep: (() -> Void)?

    init(_ subscriptions: ContiguousArray<Subscription>, _ upkeep: (() -> Void)?) {
      self.subscriptions = subscriptions
      self.upkeep = upkeep
    }

    /// Takes an observer out of its subscription and keeps it until the serializer is left.
    func takeSink(of subscription: Subscription) -> AnyObserver? {
      guard let sink = subscription.takeSink() else { return nil }
      sinks.append(sink)
      return sink
    }

    override func afterwards() {
      // This may release the last reference to the signal upstream, and so on.
      if let upkeep { DeepRelease.perform(upkeep) }
      subscriptions = []
      sinks = []
    }
  }
}

extension Signal {
  /// The total number of observer slots visited because observers were detached.
  package var stepsOfLeaving: Int { fanOut.observers.steps }
}

// MARK: - The words that the delivery loop reads

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

/// The length up to which all later observers move up at once when one is detached. In a longer
/// list, up to an eighth of the slots may be vacant, which a delivery skips; so each detached
/// observer moves at most eight others on average, however many there are.
private let few = 128

// Safety: never written: `capacity` is 0 while `words` points here.
private nonisolated(unsafe) let nobody: UnsafeMutablePointer<UInt> = {
  let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
  word.initialize(to: 0)
  return word
}()
