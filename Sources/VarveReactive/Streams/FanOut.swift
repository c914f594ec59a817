internal import Synchronization
internal import VarveProbe

/// Where a signal multiplies: delivers each event to all who observe it, in the order in which they
/// came. It runs inside the domain of its root and has no lock.
///
/// Observers are attached and detached inside the domain but never during a delivery, so that the
/// loop needs neither a copy of the list nor a retain for each observer.
final class FanOut<Value, Failure: Error>: Observer<Value, Failure> {
  let domain: Domain
  let identity: StreamIdentity
  private let isOver = Atomic<Bool>(false)
  /// The observers, as the delivering loop reads them: their number, then a word for each.
  private let words: Atomic<UInt>
  private var capacity = 0
  /// The same observers as edges, which own them.
  private var edges: ContiguousArray<Observation<Value, Failure>> = []
  /// Whether somebody holds the signal.
  private var isReachable = true
  /// Lets go of what feeds the signal.
  private var upkeep: (() -> Void)?

  init(in domain: Domain, _ identity: StreamIdentity) {
    self.domain = domain
    self.identity = identity
    words = Atomic(UInt(bitPattern: nobody))
  }

  deinit {
    if capacity > 0 { buffer.deallocate() }
  }

  /// Says how to let go of what feeds the signal; before anybody else knows the fan-out.
  func prepare(upkeep: @escaping () -> Void) { self.upkeep = upkeep }

  /// Whether the signal has ended.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  override var isFanOut: Bool { true }

  override func receive(_ value: Value) {
    guard let words = UnsafePointer<UInt>(bitPattern: words.load(ordering: .relaxed)) else {
      return
    }
    var remaining = words.pointee
    var word = words + 1
    while remaining > 0 {
      Link.deliver(value, to: word.pointee, Observer<Value, Failure>.self)
      word += 1
      remaining -= 1
    }
  }

  override func terminate(_ termination: Termination<Failure>) {
    let ending = end()
    for edge in ending.edges {
      guard let sink = edge.takeSink() else { continue }
      ending.sinks.append(sink)
      sink.terminate(termination)
      tellEnd(of: edge, EndReason(termination))
    }
    domain.performOnLeaving(ending)
  }

  override func follow(_ gate: UInt32) {
    for edge in edges {
      guard let sink = edge.sink else { continue }
      Records.subscribed(identity, edge: edge.number, fed: sink.fedStream, gate: gate)
      sink.follow(gate)
    }
  }

  override var absorption: (UInt32, AbsorptionReason)? {
    switch edges.count {
    case 0: (identity.id, .nobodyAttached)
    case 1: edges[0].sink?.absorption
    default: nil
    }
  }

  /// Attaches an edge's observer, or interrupts it when the signal has ended. Inside the domain.
  func insert(_ edge: Observation<Value, Failure>) {
    guard !edge.isDisposed, let sink = edge.sink else { return }
    guard !isOver.load(ordering: .relaxed) else {
      edge.takeSink()?.terminate(.interrupted)
      return
    }
    edges.append(edge)
    appendWord(Link.word(sink))
    let gate = domain.gate.load(ordering: .relaxed)
    if gate != 0 || Gate.isOpen { introduce(edge, sink, gate) }
  }

  /// Detaches an edge's observer and hands it over for release. Inside the domain.
  func remove(_ edge: Observation<Value, Failure>) -> Observer<Value, Failure>? {
    guard let index = edges.lastIndex(where: { $0 === edge }) else { return edge.takeSink() }
    edges.remove(at: index)
    removeWord(at: index)
    tellEnd(of: edge, .disposed)
    if edges.isEmpty, !isReachable { abandon() }
    return edge.takeSink()
  }

  /// Notes that nobody holds the signal any more.
  func signalWentAway() {
    domain.perform(
      ClosureErrand(inside: { [self] in
        isReachable = false
        if edges.isEmpty { abandon() }
      }))
  }

  /// Ends the signal without telling anybody: nobody could hear.
  private func abandon() {
    guard !isOver.load(ordering: .relaxed) else { return }
    domain.performOnLeaving(end())
  }

  /// Marks the end, and collects what has to be let go outside.
  private func end() -> Ending {
    isOver.store(true, ordering: .releasing)
    let ending = Ending(edges, upkeep)
    upkeep = nil
    edges = []
    if capacity > 0 { buffer.pointee = 0 }
    return ending
  }

  private func introduce(
    _ edge: Observation<Value, Failure>, _ sink: Observer<Value, Failure>, _ gate: UInt32
  ) {
    Records.subscribed(
      identity, edge: edge.number, fed: sink.fedStream, gate: gate != 0 ? gate : Gate.word)
    if gate != 0 { sink.follow(gate) }
  }

  private func tellEnd(of edge: Observation<Value, Failure>, _ reason: EndReason) {
    let gate = Gate.word
    if gate != 0 { Records.ended(identity, edge: edge.number, reason, gate: gate) }
  }

  /// What is released after the signal's end, outside the domain.
  private final class Ending: Errand, @unchecked Sendable {
    // Safety: filled inside the domain, emptied by the one thread that leaves it.
    var edges: ContiguousArray<Observation<Value, Failure>>
    var sinks: [Observer<Value, Failure>] = []
    private let upkeep: (() -> Void)?

    init(_ edges: ContiguousArray<Observation<Value, Failure>>, _ upkeep: (() -> Void)?) {
      self.edges = edges
      self.upkeep = upkeep
    }

    override func afterwards() {
      upkeep?()
      edges = []
      sinks = []
    }
  }
}

// MARK: - The words that the delivering loop reads

extension FanOut {
  private var buffer: UnsafeMutablePointer<UInt> {
    UnsafeMutablePointer(bitPattern: words.load(ordering: .relaxed)).unsafelyUnwrapped
  }

  private func appendWord(_ word: UInt) {
    let count = Int(buffer.pointee)
    if count == capacity { grow(to: max(2, capacity * 2)) }
    buffer[count + 1] = word
    buffer.pointee = UInt(count + 1)
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

// Safety: never written: `capacity` is 0 while `words` points here.
private nonisolated(unsafe) let nobody: UnsafeMutablePointer<UInt> = {
  let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
  word.initialize(to: 0)
  return word
}()
