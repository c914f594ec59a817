public import VarveFormat

/// The events of a trace that nobody has been shown yet, while it is being recorded.
///
/// A record is told apart by ring and sequence: what lay in a ring when it was shown and lies in a
/// block of the file now is not shown twice.
public struct FreshEvents: EventSource {
  /// What of the trace's blocks is new, in the order of event numbers.
  public let blocks: [BlockSummary]
  private let reader: TraceReader
  /// By each of `blocks`, which block of the reader it is part of.
  private let places: [Int]
  /// And which of its events.
  private let parts: [Range<Int>]

  init(_ reader: TraceReader, _ fresh: [(place: Int, part: Range<Int>)]) {
    self.reader = reader
    places = fresh.map(\.place)
    parts = fresh.map(\.part)
    blocks = fresh.map { place, part in
      var block = reader.blocks[place]
      block.count = part.count
      block.firstSequence += UInt64(part.lowerBound)
      block.firstEvent += UInt64(part.lowerBound)
      return block
    }
  }

  /// Decodes the columns asked for of what is new in a block.
  public func decode(_ index: Int, into columns: inout EventColumns, columns wanted: ColumnSet)
    throws(TraceFileError)
  {
    let isPart = parts[index].count < reader.blocks[places[index]].count
    guard isPart else {
      return try reader.decode(places[index], into: &columns, columns: wanted)
    }
    // Columns that were cut before cannot be cut once more: they are decoded anew, all of them.
    columns = EventColumns()
    try reader.decode(places[index], into: &columns, columns: .all)
    columns.keep(parts[index])
  }

  /// What streams, schedulers and threads are called.
  public var definitions: TraceDefinitions { reader.definitions }

  /// Turns ticks into time.
  public var time: TraceTime { reader.time }

  /// The number of the event that a reference names, shown before or now.
  public func eventNumber(of reference: RecordReference) -> UInt64? {
    reader.eventNumber(of: reference)
  }

  /// When the recording began, in nanoseconds since 1970, UTC.
  public var started: UInt64 { reader.started }

  /// The id of the process that was recorded.
  public var pid: UInt32 { reader.pid }
}

/// Remembers what of a growing trace was shown.
public struct TraceFollower {
  /// By ring, the sequence of the last event that was taken.
  private var taken: [UInt32: UInt64] = [:]

  /// Nothing was shown yet.
  public init() {}

  /// Takes what is new up to a moment, in ticks; nil for everything.
  ///
  /// Threads are looked at one after the other while they run on: of what happened at the very end,
  /// some is seen and something older is not. Who wants an order that holds leaves the last moment
  /// for the next time.
  ///
  /// - Throws: a `TraceFileError` of code `unreadable` when the system refuses.
  public mutating func take(_ reader: TraceReader, upTo limit: UInt64? = nil)
    throws(TraceFileError) -> FreshEvents
  {
    var fresh: [(place: Int, part: Range<Int>)] = []
    var held: Set<UInt32> = []
    for (place, block) in reader.blocks.enumerated() where !held.contains(block.ring) {
      let known = taken[block.ring] ?? 0
      let end = block.firstSequence + UInt64(block.count)
      guard end > known + 1 else { continue }
      let first = known < block.firstSequence ? 0 : Int(known + 1 - block.firstSequence)
      var last = block.count
      if let limit, block.ticks.upperBound > limit {
        last = try first + count(upTo: limit, from: first, of: place, reader)
        held.insert(block.ring)
      }
      guard first < last else { continue }
      fresh.append((place, first..<last))
      taken[block.ring] = block.firstSequence + UInt64(last) - 1
    }
    return FreshEvents(reader, fresh)
  }

  private func count(
    upTo limit: UInt64, from first: Int, of place: Int, _ reader: TraceReader
  ) throws(TraceFileError) -> Int {
    var columns = EventColumns()
    do throws(TraceFileError) {
      try reader.decode(place, into: &columns, columns: .ticks)
    } catch {
      // A damaged block is passed over, and told, when it is decoded.
      guard error.code == .damaged || error.code == .newerVersion else { throw error }
      return reader.blocks[place].count - first
    }
    return columns.ticks[first...].prefix { $0 <= limit }.count
  }
}
