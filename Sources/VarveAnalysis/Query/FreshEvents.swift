public import VarveFormat

/// The events of a trace that have not been shown yet while it is being recorded.
///
/// A record is identified by ring and sequence number: one that was in a ring when it was shown and
/// is in a block of the file now is not shown twice.
public struct FreshEvents: EventSource {
  /// The new parts of the trace's blocks, in each file's order.
  public let blocks: [BlockSummary]
  /// The files of the trace, latest last.
  private let readers: [TraceReader]
  private let places: [Place]

  /// The new part of a block in one of the files.
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

  /// Decodes the requested columns of the new part of a block.
  public func decode(_ index: Int, into columns: inout EventColumns, columns wanted: ColumnSet)
    throws(TraceFileError)
  {
    let place = places[index]
    let reader = readers[place.reader]
    guard place.part.count < reader.blocks[place.block].count else {
      return try reader.decode(place.block, into: &columns, columns: wanted)
    }
    // Columns that were cut before cannot be cut again, so all of them are decoded anew.
    columns = EventColumns()
    try reader.decode(place.block, into: &columns, columns: .all)
    columns.keep(place.part)
  }

  private var latest: TraceReader { readers[readers.count - 1] }

  /// The definitions of streams, schedulers and threads.
  public var definitions: TraceDefinitions { latest.definitions }

  /// The conversion from ticks to time.
  public var time: TraceTime { latest.time }

  /// When the recording began, in nanoseconds since 1970, UTC.
  public var started: UInt64 { latest.started }

  /// The ID of the recorded process.
  public var pid: UInt32 { latest.pid }

  /// The events that are missing so far; each file has its own.
  public var losses: [TraceLoss] {
    readers.flatMap(\.losses).sorted { $0.ticks.lowerBound < $1.ticks.lowerBound }
  }

  /// The total size of the files, in bytes.
  public var bytes: UInt64 { readers.reduce(0) { $0 + $1.bytes } }
}

/// Keeps track of which events of a growing trace have been shown.
public struct TraceFollower {
  /// The sequence number of the last event taken, by ring.
  private var taken: [UInt32: UInt64] = [:]

  /// Creates a follower that has not shown any events.
  public init() {}

  /// Takes the new events up to a moment.
  ///
  /// Threads are read one after another while they keep running, so at the very end of the trace,
  /// some events may be visible while older ones are not. For a reliable order, leave the last
  /// moment to the next call.
  ///
  /// - Parameters:
  ///   - readers: the files of the trace, oldest first.
  ///   - limit: the last tick of which events are taken; nil for everything.
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

  /// Returns whether all events of a file have been taken.
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
      // A damaged block is passed over and reported when it is decoded.
      guard error.code == .damaged || error.code == .newerVersion else { throw error }
      return reader.blocks[place].count - first
    }
    return columns.ticks[first...].prefix { $0 <= limit }.count
  }
}
