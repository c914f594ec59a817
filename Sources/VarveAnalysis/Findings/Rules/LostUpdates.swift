internal import VarveFormat
internal import VarveProbe

/// Finds properties that several threads read and then set to what they made of the value: a change
/// that another thread makes in between is lost.
struct LostUpdates: FindingRule {
  /// A property that was set by a thread after another one had changed what that thread had read.
  private struct Loss {
    var read: EventName
    var readStack: UInt32
    var between: EventName
    var set: EventName
  }

  /// What is known of a property while the events pass.
  private struct Account {
    /// The last read of each thread since it last set the property.
    var reads: [UInt32: (name: EventName, ticks: UInt64, stack: UInt32)] = [:]
    var lastSet: EventMoment?
    var count = 0
    var losses: [Loss] = []
  }

  private let facts: FindingFacts
  private var properties: [UInt32: Account] = [:]
  private let roots: Set<UInt32>

  /// The smallest number of changes that are lost.
  private static let fewest = 2
  /// The maximum number of them that are kept, the last ones …
  private static let mostKept = 16
  /// … of properties …
  private static let mostProperties = 1_024
  /// … and of threads that read one.
  private static let mostThreads = 64
  /// The longest time between a read and the change that depends on it, in nanoseconds: both belong
  /// to one stretch of code.
  private static let longest: UInt64 = 100_000_000

  init?(_ facts: FindingFacts) {
    self.facts = facts
    roots = Set(
      facts.definitions.streams.values.lazy.filter {
        $0.traits?.contains(.replays) == true && $0.parents.isEmpty
      }.map(\.id))
    if roots.isEmpty || facts.history.lastEvents.count < 2 { return nil }
  }

  var kinds: Set<RecordKind> { [.value, .read] }
  var streams: Set<UInt32>? { roots }

  mutating func note(_ event: FindingEvent) {
    guard properties[event.stream] != nil || properties.count < Self.mostProperties else { return }
    let ring = event.name.ring
    guard event.kind == .value else {
      let stack = HopPayload(word: event.word).stack
      let known = properties[event.stream]?.reads
      guard event.isOfValue, stack != 0, known?[ring] != nil || known?.count ?? 0 < Self.mostThreads
      else { return }
      properties[event.stream, default: Account()].reads[ring] = (event.name, event.ticks, stack)
      return
    }
    var account = properties[event.stream] ?? Account()
    if let read = account.reads.removeValue(forKey: ring), let other = account.lastSet,
      other.name.ring != ring, other.ticks > read.ticks,
      facts.time.duration(from: read.ticks, to: event.ticks) <= Self.longest
    {
      account.count += 1
      if account.losses.count == Self.mostKept { account.losses.removeFirst() }
      account.losses.append(
        Loss(read: read.name, readStack: read.stack, between: other.name, set: event.name))
    }
    account.lastSet = event.moment
    properties[event.stream] = account
  }

  mutating func findings() -> [Finding] {
    properties.sorted { $0.key < $1.key }.compactMap { finding($0.value, of: $0.key) }
  }

  private func finding(_ account: Account, of property: UInt32) -> Finding? {
    guard account.count >= Self.fewest else { return nil }
    let sent = account.losses.compactMap { loss in
      facts.sender(of: loss.set).map { (loss: loss, sender: $0) }
    }
    let lost = sent.filter { isOneCall($0.loss.readStack, $0.sender) }
    guard lost.count * 2 > account.losses.count, let (last, sender) = lost.last else { return nil }
    var finding = Finding(
      .race, weight: 84, place: .stack(sender),
      """
      \(stream: property) is read and then set by threads that do not wait for each other: \
      \(account.count, "time", "times"), another thread had changed it in between, and that change was \
      lost; the last was \(event: last.between), between #\(last.read.description) and \
      #\(last.set.description)
      """, stream: property, evidence: [last.set, last.between, last.read])
    finding.count = UInt64(account.count)
    return finding
  }

  /// Returns whether a read and a change may be of one call of a function, which all outer frames
  /// tell, and the read stands before the change in it.
  private func isOneCall(_ read: UInt32, _ set: UInt32) -> Bool {
    guard let one = facts.definitions.stacks[read]?.frames,
      let other = facts.definitions.stacks[set]?.frames
    else { return false }
    // The functions of the library in which each stack was taken, and the lines themselves, differ.
    guard let outer = SharedCall.outerFrames(one, other) else { return false }
    let (reads, sets) = (one[one.count - outer - 1], other[other.count - outer - 1])
    return reads.address <= sets.address
  }
}
