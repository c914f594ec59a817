internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// The texts that event lines are put together from, padded to their columns.
struct EventCells {
  var streams = CellTable()
  var operations = CellTable()
  var schedulers = CellTable()
  /// Schedulers once more, in the column that says whose work ran.
  var running = CellTable()
  var threads = CellTable()
  var kinds = CellTable()
  /// Names without padding and colour, for edges.
  var names = CellTable()
  /// Columns that all of them take.
  private(set) var streamWidth = 6
  private(set) var threadWidth = 4
  private(set) var operationWidth = 8
  private(set) var schedulerWidth = 9
  private(set) var kindWidth = 5

  /// A name wider than this does not widen its column: it pushes the rest of its own line aside,
  /// or is cut in its middle where lines are cut.
  private static let widest = 36

  private let style: OutputStyle

  init(source: some EventSource, filter: EventFilter, pid: UInt32, style: OutputStyle) {
    self.style = style
    let definitions = source.definitions
    let schedulers = filter.chosen == nil ? Array(definitions.schedulers.values) : []
    streamWidth = width(
      of: schedulers.map { TerminalText.escaped($0.name) }, atLeast: streamWidth)
    addStreams(filter.chosen ?? Array(definitions.streams.values))
    addSchedulers(schedulers)
    addRunning(Array(definitions.schedulers.values))
    for stream in definitions.streams.values {
      names.insert(TerminalText.escaped(stream.name), for: stream.id)
    }
    addThreads(ThreadNames(definitions.threads, pid: pid), rings: definitions.threads.keys.sorted())
    addKinds(filter.kinds)
  }

  private mutating func addStreams(_ chosen: [StreamDefinition]) {
    let texts = chosen.map { TerminalText.escaped($0.name) }
    streamWidth = width(of: texts, atLeast: streamWidth)
    for (stream, text) in zip(chosen, texts) {
      streams.insert(padded(text, streamWidth, Colour.stream(stream.name)), for: stream.id)
    }
    let operators = chosen.map { TerminalText.escaped($0.operation) }
    operationWidth = width(of: operators, atLeast: operationWidth)
    for (stream, text) in zip(chosen, operators) {
      operations.insert(padded(text, operationWidth, nil), for: stream.id)
    }
  }

  private mutating func addSchedulers(_ chosen: [SchedulerDefinition]) {
    for scheduler in chosen {
      let text = padded(TerminalText.escaped(scheduler.name), streamWidth, .scheduler)
      schedulers.insert(text, for: scheduler.id)
    }
  }

  private mutating func addRunning(_ all: [SchedulerDefinition]) {
    let texts = all.map { TerminalText.escaped($0.name) }
    schedulerWidth = width(of: texts, atLeast: schedulerWidth)
    for (scheduler, text) in zip(all, texts) {
      running.insert(padded(text, schedulerWidth, .dim), for: scheduler.id)
    }
  }

  private mutating func addThreads(_ names: ThreadNames, rings: [UInt32]) {
    let texts = rings.map { TerminalText.escaped(names[$0]) }
    threadWidth = width(of: texts, atLeast: threadWidth)
    for (ring, text) in zip(rings, texts) {
      threads.insert(padded(text, threadWidth, .dim), for: ring)
    }
  }

  private mutating func addKinds(_ chosen: KindSelection) {
    let known = RecordKind.allCases.filter { chosen.contains($0.rawValue) }
    kindWidth = known.map(\.name.utf8.count).max() ?? kindWidth
    for kind in known {
      kinds.insert(padded(kind.name, kindWidth, colour(kind)), for: UInt32(kind.rawValue))
    }
  }

  private func colour(_ kind: RecordKind) -> Colour? {
    switch kind {
    case .failed: .failed
    case .completed: .completed
    case .interrupted: .interrupted
    case .value, .log, .mark, .skipped: nil
    case .assembled, .subscribed, .ended, .absorbed, .hopScheduled, .hopBegan, .hopEnded,
      .hopCancelled:
      .dim
    }
  }

  private func width(of texts: [String], atLeast least: Int) -> Int {
    min(max(texts.lazy.map(DisplayWidth.of).max() ?? 0, least), Self.widest)
  }

  private func padded(_ text: String, _ width: Int, _ colour: Colour?) -> String {
    let ellipsis = style.ascii ? ".." : "…"
    let cut = style.width == nil ? text : Chart.middleCut(text, to: width, ellipsis: ellipsis)
    let padding = String(repeating: " ", count: max(0, width - DisplayWidth.of(cut)))
    return (colour.map { style.paint(cut, $0) } ?? cut) + padding
  }

  /// The most bytes that the cells of one line take.
  var mostBytes: Int {
    max(streams.longest, schedulers.longest) + operations.longest + threads.longest
      + kinds.longest + names.longest + running.longest
  }

  /// The tables as plain memory.
  struct Reader {
    let streams, operations, schedulers, running, threads, kinds, names: CellTable.Reader
  }

  /// Lends the tables for fast use.
  func lend(_ body: (Reader) -> Void) {
    streams.lend { streams in
      operations.lend { operations in
        schedulers.lend { schedulers in
          threads.lend { threads in
            kinds.lend { kinds in
              names.lend { names in
                running.lend { running in
                  body(
                    Reader(
                      streams: streams, operations: operations, schedulers: schedulers,
                      running: running, threads: threads, kinds: kinds, names: names))
                }
              }
            }
          }
        }
      }
    }
  }
}
