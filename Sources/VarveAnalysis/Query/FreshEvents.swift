public import VarveFormat

/// The events of a trace that nobody has been shown yet, while it is being recorded.
///
/// A record is told apart by ring and sequence: what lay in a ring when it was shown and lies in a
/// block of the file now is not shown twice.
public struct FreshEvents: EventSource {
  /// What of the trace's blocks is new, in each file's order.
  public let blocks: [BlockSummary]
  /// The files that the trace lies in, the latest one last.
  private let readers: [TraceReader]
  private let places: [Place]

  /// What is new in a block of one of the files.
  struct Place {
    var reader: Int
    var block: Int
    var part: Range<Int>
  }

  init(_ readers: [TraceReader], _ fresh: [Place]) {
    self.readers = readers
    places = fresh
    blocks = fresh.map { place in
      var block = readers[place.reader].blocks[place.block]
      block.count = place.part.count
      block.firstSequence += UInt64(place.part.lowerBound)
      return block
    }
  }

  /// Decodes the columns asked for of what is new in a block.
  public func decode(_ index: Int, into columns: inout EventColumns, columns wanted: ColumnSet)
    throws(TraceFileError)
  {
    let place = places[index]
    let reader = readers[place.reader]
    guard place.part.count < reader.blocks[place.block].count else {
      return try reader.decode(place.block, into: &columns, columns: wanted)
    }
    // Columns that were cut before cannot be cut once more: they are decoded anew, all of them.
    columns = EventColumns()
    try reader.decode(place.block, into: &columns, columns: .all)
    columns.keep(place.part)
  }

  private var latest: TraceReader { readers[readers.count - 1] }

  /// What streams, schedulers and threads are called.
  public var definitions: TraceDefinitions { latest.definitions }

  /// Turns ticks into time.
  public var time: TraceTime { latest.time }

  /// When the recording began, in nanoseconds since 1970, UTC.
  public var started: UInt64 { latest.started }

  /// The id of the process that was recorded.
  public var pid: UInt32 { latest.pid }

  /// How many bytes the files take that the events lie in.
  public var bytes: UInt64 { readers.reduce(0) { $0 + $1.bytes } }
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
  /// - Parameters:
  ///   - readers: the files that the trace lies in, oldest first.
  ///   - limit: the last moment, in ticks, of which events are taken; nil for everything.
  /// - Throws: a `TraceFileError` of code `unreadable` when the system refuses.
  public mutating func take(_ readers: [TraceReader], upTo limit: UInt64? = nil)
    throws(TraceFileError) -> FreshEvents
  {
    var fresh: [FreshEvents.Place] = []
    var held: Set<UInt32> = []
    for (index, reader) in readers.enumerated() {
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
        fresh.append(FreshEvents.Place(reader: index, block: place, part: first..<last))
        taken[block.ring] = block.firstSequence + UInt64(last) - 1
      }
    }
    return FreshEvents(readers, fresh)
  }

  /// Whether everything was taken that a file holds.
  public func hasTakenAll(of reader: TraceReader) -> Bool {
    reader.blocks.allSatisfy {
      $0.firstSequence + UInt64($0.count) <= (taken[$0.ring] ?? 0) + 1
    }
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
