internal import CSQLite
internal import VarveAnalysis
internal import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// A trace that is asked in SQL: what its virtual tables share.
final class QueriedTrace {
  let reader: TraceReader
  let tables: TraceTables
  let names: QueriedNames
  let counts: KindCounts
  /// The events that are asked about.
  let selection: Selection
  private let choice: EventChoice
  /// Damage that was met, and what was passed over.
  private(set) var damage: [TraceFileError] = []
  private(set) var passedOver = PassedOver()
  private var damagedBlocks: Set<Int> = []

  private var shelves: [(block: Int, columns: EventColumns)] = []
  /// The number of decoded blocks that are kept for single events.
  private static let mostShelves = 8

  /// - Parameter selection: the events to ask about. The numbers of first and last events are not
  ///   kept to: they are about answers.
  init(_ tables: TraceTables, _ selection: Selection) throws(SelectionError) {
    reader = tables.reader
    self.tables = tables
    var selection = selection
    (selection.head, selection.tail) = (nil, nil)
    self.selection = selection
    choice = try EventChoice(selection, in: tables.reader)
    names = QueriedNames(tables)
    counts = KindCounts(tables.reader, selection)
  }

  /// Returns whether an event is asked about.
  func contains(_ event: EventName) -> Bool {
    defer { report(choice.damage, choice.passedOver) }
    return choice.contains(event)
  }

  func report(_ damage: [TraceFileError], _ passedOver: PassedOver) {
    for error in damage where error.block.map({ damagedBlocks.insert($0).inserted }) ?? true {
      self.damage.append(error)
    }
    // A table that is read again passes over the same things again.
    if passedOver != self.passedOver { self.passedOver = passedOver }
  }

  /// Returns the block of an event, decoded, and its index there.
  func event(_ name: EventName) -> (columns: EventColumns, index: Int)? {
    guard let block = reader.block(of: name), let index = reader.blocks[block].index(of: name)
    else { return nil }
    if let known = shelves.firstIndex(where: { $0.block == block }) {
      if known > 0 { shelves.swapAt(known, known - 1) }
      return (shelves[max(known - 1, 0)].columns, index)
    }
    var columns = EventColumns()
    do {
      try reader.decode(block, into: &columns, columns: .all)
    } catch {
      report([error], PassedOver())
      return nil
    }
    if shelves.count == Self.mostShelves { shelves.removeLast() }
    shelves.insert((block, columns), at: 0)
    return (columns, index)
  }
}

/// The names that cells of the virtual tables have, in memory where SQLite finds them.
final class QueriedNames {
  enum Part: UInt8 { case name, operation, place, thread, kind, scheduler }

  private struct Key: Hashable {
    var part: Part
    var id: UInt32
  }

  private let tables: TraceTables
  private var texts: [Key: UnsafeMutablePointer<CChar>] = [:]
  private var last: (key: Key, text: UnsafeMutablePointer<CChar>)?

  init(_ tables: TraceTables) { self.tables = tables }

  deinit { for text in texts.values { free(text) } }

  func give(thread ring: UInt32, to context: OpaquePointer?) {
    give(Key(part: .thread, id: ring), to: context) { tables.threads[ring] }
  }

  func give(kind: UInt8, to context: OpaquePointer?) {
    give(Key(part: .kind, id: UInt32(kind)), to: context) { RecordKind.name(of: kind) }
  }

  func give(scheduler id: UInt32, to context: OpaquePointer?) {
    give(Key(part: .scheduler, id: id), to: context) {
      tables.reader.definitions.schedulers[id]?.name ?? "scheduler \(id)"
    }
  }

  /// Gives a name of a stream; nothing for one that the trace does not define.
  func give(_ part: Part, of id: UInt32, to context: OpaquePointer?) {
    guard let stream = tables.reader.definitions.streams[id] else { return }
    switch part {
    case .place:
      guard let place = tables.place(of: id) else { return }
      give(Key(part: part, id: id), to: context) { place }
    case .name: give(Key(part: part, id: id), to: context) { stream.name }
    default: give(Key(part: part, id: id), to: context) { stream.operation }
    }
  }

  private func give(_ key: Key, to context: OpaquePointer?, _ text: () -> String) {
    if let known = texts[key] { return sqlite3_result_text(context, known, -1, nil) }
    guard let copy = strdup(text()) else { return sqlite3_result_error_nomem(context) }
    texts[key] = copy
    sqlite3_result_text(context, copy, -1, nil)
  }
}

/// How many events of each kind each stream has: counted once, when it is asked for.
final class KindCounts {
  struct Row {
    var stream: UInt32
    var kind: UInt8
    var count: Int64
    var first: UInt64
    var last: UInt64
  }

  private let reader: TraceReader
  private let selection: Selection
  private var counted: [Row]?
  private let walk: TraceWalk
  private(set) var damage: [TraceFileError] = []
  var passedOver: PassedOver { walk.passedOver }

  private static let bytes = 96

  init(_ reader: TraceReader, _ selection: Selection) {
    self.reader = reader
    self.selection = selection
    walk = TraceWalk(reader)
  }

  /// The rows, by stream and kind.
  func rows() throws(SelectionError) -> [Row] {
    if let counted { return counted }
    var query = try EventQuery(selection, in: reader, columns: [.ticks, .kinds, .streams])
    var places: [UInt64: Int] = [:]
    var rows: [Row] = []
    var (lastKey, lastPlace) = (UInt64.max, 0)
    query.run { page in
      page.forEachRun { entries, block in
        for entry in entries {
          let index = Int(entry.index)
          let (stream, kind) = (block.streams[index], block.kinds[index])
          if stream == 0 || RecordKind(rawValue: kind)?.isHop ?? false { continue }
          let (key, tick) = (UInt64(stream) << 8 | UInt64(kind), block.ticks[index])
          if key != lastKey {
            if let place = places[key] {
              lastPlace = place
            } else {
              guard walk.take(Self.bytes, or: .ofStreams) else { continue }
              lastPlace = rows.count
              places[key] = lastPlace
              rows.append(Row(stream: stream, kind: kind, count: 0, first: tick, last: tick))
            }
            lastKey = key
          }
          rows[lastPlace].count += 1
          rows[lastPlace].last = tick
        }
      }
      return true
    }
    damage = query.damage
    rows.sort { ($0.stream, $0.kind) < ($1.stream, $1.kind) }
    counted = rows
    return rows
  }
}
