internal import VarveFormat
internal import VarveProbe

/// Digests of what the streams of a trace delivered, by name. Streams with the same name count as
/// one, with their events in time order.
///
/// Memory grows with the number of names, not of events. What the digests cannot say is found by
/// reading the trace again.
struct Deliveries {
  /// The values and ends of all streams of one name.
  struct Stream {
    let name: String
    let isDefined: Bool
    /// The number of values and ends.
    var count = 0
    /// The digest of all of them.
    var digest = DeliveryDigest()
    /// The digests of the first 64, 128, 256 and so on of them, as far as there is memory.
    var milestones: [DeliveryDigest] = []
  }

  private(set) var streams: [Stream] = []
  private(set) var damage: [TraceFileError] = []
  /// What this walk and its query passed over.
  private(set) var passedOver = PassedOver()

  private let reader: TraceReader
  private let selection: Selection
  private let definitions: [UInt32: StreamDefinition]
  private let walk: TraceWalk
  private var slots = StreamSlots()
  private var places: [String: UInt32] = [:]

  private static let columns: ColumnSet = [.kinds, .streams, .payloads]

  /// The number of deliveries before the first milestone.
  private static let firstMilestone = 64
  /// The memory for a milestone in an array whose capacity is up to twice its count, in bytes.
  private static let milestoneBytes = 2 * MemoryLayout<DeliveryDigest>.stride

  init(_ reader: TraceReader, _ selection: Selection) throws(SelectionError) {
    var selection = try selection.resolved(in: reader)
    selection.kinds = KindSelection([.value, .failed, .completed, .interrupted])
    self.reader = reader
    self.selection = selection
    definitions = reader.definitions.streams
    // Two traces are compared, and milestones are not all that is kept of each.
    walk = TraceWalk(reader, sharers: 4)
    var query = try EventQuery(selection, in: reader, columns: Self.columns)
    query.run { page in
      page.forEachRun { entries, columns in
        for entry in entries { note(columns, Int(entry.index)) }
      }
      return true
    }
    damage = query.damage
    passedOver = walk.passedOver + query.passedOver
  }

  /// Returns the index of the stream with a name; nil when no stream with that name delivered
  /// anything.
  func place(of name: String) -> Int? { places[name].map { Int($0) } }

  /// Returns whether this trace may have passed over deliveries of a stream of the other trace.
  func mayLack(_ stream: Stream) -> Bool { !stream.isDefined && passedOver.ofStreams > 0 }

  /// Returns the number of deliveries before the milestone at an index.
  static func ordinal(ofMilestone index: Int) -> Int { firstMilestone << index }

  private mutating func note(_ columns: ColumnPointers, _ index: Int) {
    let stream = columns.streams[index]
    guard let slot = slots.find(stream) ?? newSlot(stream) else { return }
    streams[slot].digest.add(columns, index)
    streams[slot].count += 1
    let count = streams[slot].count
    if count & (count - 1) == 0, count >= Self.firstMilestone { keepMilestone(slot) }
  }

  private mutating func keepMilestone(_ slot: Int) {
    // After one milestone for which there was no memory, no more are kept.
    let next = Self.ordinal(ofMilestone: streams[slot].milestones.count)
    guard streams[slot].count == next, walk.take(Self.milestoneBytes) else { return }
    streams[slot].milestones.append(streams[slot].digest)
  }

  private mutating func newSlot(_ stream: UInt32) -> Int? {
    let definition = definitions[stream]
    guard definition != nil || walk.admitUndefinedStream() else { return nil }
    let name = definition?.name ?? "stream \(stream)"
    let slot = places[name].map { Int($0) } ?? streams.count
    if slot == streams.count {
      streams.append(Stream(name: name, isDefined: definition != nil))
      places[name] = UInt32(slot)
    }
    slots.add(stream, slot: slot)
    return slot
  }
}

// MARK: - Looking again

extension Deliveries {
  /// Reads the trace again, until all stretches are over.
  ///
  /// - Parameter stretches: at most one for each name.
  /// - Returns: the marks of all stretches, one stretch after another.
  func marks(in stretches: [Stretch]) throws(SelectionError) -> [DeliveryMark] {
    var walk = StretchWalk(stretches, counts: streams.lazy.map(\.count))
    guard walk.isOpen else { return walk.marks }
    let slots = slots
    var query = try EventQuery(selection, in: reader, columns: Self.columns)
    query.run { page in
      page.forEachRun { entries, columns in
        for entry in entries {
          let index = Int(entry.index)
          if let place = slots.find(columns.streams[index]) { walk.note(place, columns, index) }
        }
      }
      return walk.isOpen
    }
    return walk.marks
  }
}
