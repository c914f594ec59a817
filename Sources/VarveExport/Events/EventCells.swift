internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// The cells of event lines whose texts recur, padded to the widths of their columns.
final class EventCells {
  enum Column: UInt8 {
    case thread, stream, scheduler, kind, operation, running, place
  }

  private(set) var streamWidth: Int
  private(set) var threadWidth: Int
  private(set) var operationWidth: Int
  private(set) var schedulerWidth: Int
  let kindWidth: Int
  /// Numbers of merged traces have the recording's before them.
  let subscriptionWidth: Int
  let placeWidth: Int

  /// A wider name does not widen its column: it pushes the rest of its own line aside, or is cut in
  /// the middle where lines are cut.
  private static let widest = 36

  private let cache = CellCache()
  private let definitions: TraceDefinitions
  private let threads: ThreadNames
  private let places: StreamPlaces
  private let style: OutputStyle

  init(
    source: some EventSource, filter: EventFilter, pid: UInt32, style: OutputStyle,
    showsPlaces: Bool,
    symbols: Symbolizer?
  ) {
    self.style = style
    definitions = source.definitions
    threads = ThreadNames(definitions.threads, pid: pid)
    let streams = filter.chosen ?? Array(definitions.streams.values)
    let schedulers = definitions.schedulers.values.lazy.map(\.name)
    let rings = definitions.threads.keys.map { [threads] in threads[$0] }
    // Where streams are chosen by name, no work of a scheduler is shown.
    streamWidth = max(
      Self.width(of: streams.lazy.map(\.name), atLeast: 6, style),
      filter.chosen == nil ? Self.width(of: schedulers, atLeast: 6, style) : 6)
    operationWidth = Self.width(of: streams.lazy.map(\.operation), atLeast: 8, style)
    schedulerWidth = Self.width(of: schedulers, atLeast: 9, style)
    threadWidth = Self.width(of: rings, atLeast: 4, style)
    // The longest names, of what happens to tasks, make room for themselves only where they occur.
    let kinds = RecordKind.allCases.filter { kind in
      filter.kinds.contains(kind.rawValue)
        && (kind.rawValue <= RecordKind.taskCreated.rawValue
          || source.blocks.contains { $0.kinds.mayContain(kind.rawValue) })
    }
    kindWidth = kinds.map(\.name.utf8.count).max() ?? 5
    let isMerged = definitions.threads.keys.contains { EventName.thread($0).contains(":") }
    subscriptionWidth = isMerged ? 12 : 8
    let places = StreamPlaces(definitions, symbols: symbols)
    self.places = places
    // Of many streams, it would take too long to look up all places before the first line.
    let told = StreamPlaces(definitions)
    let measured = streams.count <= Self.mostLookedUp ? places : told
    placeWidth =
      showsPlaces
      ? streams.lazy.map { Self.width(of: Self.place(of: $0.id, in: measured), style) }.max() ?? 0
      : 0
  }

  /// The greatest number of streams whose places are looked up beforehand.
  private static let mostLookedUp = 500

  private static func place(of stream: UInt32, in places: StreamPlaces) -> Place? {
    places.exact(stream) ?? places.exact(places.named(stream))
  }

  private static func width(of place: Place?, _ style: OutputStyle) -> Int {
    place.map { DisplayWidth.of(style.escaped($0.description)) } ?? 0
  }

  /// Takes room from names. Must be called before the first cell is written.
  ///
  /// - Parameter width: the width that is left for a column; nil leaves it as it is.
  func narrow(_ width: (EventFields) -> Int?) {
    threadWidth = width(.thread) ?? threadWidth
    streamWidth = width(.stream) ?? streamWidth
    operationWidth = width(.operation) ?? operationWidth
    schedulerWidth = width(.scheduler) ?? schedulerWidth
  }

  private static func width(
    of texts: some Sequence<String>, atLeast least: Int, _ style: OutputStyle
  ) -> Int {
    let widths = texts.lazy.map { DisplayWidth.of(style.escaped($0)) }
    return min(max(widths.max() ?? 0, least), widest)
  }

  /// Writes a cell and the gap behind it.
  @inline(__always)
  func write(_ column: Column, _ number: UInt32, to pen: inout Pen) {
    cache.write(UInt64(number), column.rawValue, to: &pen) { $0.write(text(column, number) + "  ") }
  }

  /// Returns the name of a stream, in a form that is safe to print.
  func name(ofStream id: UInt32) -> String {
    definitions.streams[id].map { style.name($0.name) } ?? "stream \(id)"
  }

  private func text(_ column: Column, _ number: UInt32) -> String {
    switch column {
    case .thread:
      if definitions.threads[number] == nil { return filled(threads[number], threadWidth) }
      return padded(threads[number], threadWidth, .dim)
    case .stream:
      guard let name = definitions.streams[number]?.name else {
        return filled(number == 0 ? "" : "stream \(number)", streamWidth)
      }
      let shown = name.isEmpty ? "\"\"" : fitting(name, of: number)
      return padded(shown, streamWidth, .stream(name), isStream: true)
    case .scheduler:
      guard let name = definitions.schedulers[number]?.name else {
        return filled("scheduler \(number)", streamWidth)
      }
      return padded(name, streamWidth, .scheduler)
    case .kind:
      guard let kind = RecordKind(rawValue: UInt8(truncatingIfNeeded: number)) else {
        return filled("kind\(number)", kindWidth)
      }
      return padded(kind.name, kindWidth, Self.colour(kind))
    case .operation:
      return padded(definitions.streams[number]?.operation ?? "", operationWidth, nil)
    case .place:
      let place = number == 0 ? nil : Self.place(of: number, in: places)
      let text = place.map { style.escaped($0.description) } ?? ""
      return style.paint(text, .dim) + DisplayWidth.gap(after: text, to: placeWidth)
    case .running: return padded(definitions.schedulers[number]?.name ?? "", schedulerWidth, .dim)
    }
  }

  /// Returns a name, without the place in it if that is in another column and there is no room.
  private func fitting(_ name: String, of stream: UInt32) -> String {
    guard style.width != nil, placeWidth > 0, DisplayWidth.of(style.escaped(name)) > streamWidth
    else { return name }
    return NameCut.name(name, beside: Self.place(of: stream, in: places)?.description)
  }

  private static func colour(_ kind: RecordKind) -> Colour? {
    switch kind {
    case .failed: .failed
    case .completed: .completed
    case .interrupted: .interrupted
    case .value, .log, .mark, .skipped: nil
    case .assembled, .subscribed, .ended, .absorbed, .hopScheduled, .hopBegan, .hopEnded,
      .hopCancelled, .sent, .waitBegan, .waitEnded, .read, .taskCreated, .taskCancelled,
      .taskFailed, .taskFailureRead, .hopSampled, .errorThrown:
      .dim
    }
  }

  /// Returns text that is safe to print, padded or cut to the width of a column.
  private func padded(
    _ text: String, _ columns: Int, _ colour: Colour?, isStream: Bool = false
  ) -> String {
    let text = style.escaped(text)
    let cut = isStream ? style.short(text, to: columns) : style.middleShort(text, to: columns)
    return (colour.map { style.paint(cut, $0) } ?? cut) + DisplayWidth.gap(after: cut, to: columns)
  }

  /// Returns text that stands for a missing definition, padded but never cut.
  private func filled(_ text: String, _ columns: Int) -> String {
    text + DisplayWidth.gap(after: text, to: columns)
  }
}
