internal import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// The texts from which event lines are assembled, padded to their columns.
struct EventCells {
  private(set) var streams = CellTable()
  private(set) var operations = CellTable()
  private(set) var schedulers = CellTable()
  /// Schedulers again, for the column that names the scheduler of the running work.
  private(set) var running = CellTable()
  private(set) var threads = CellTable()
  private(set) var kinds = CellTable()
  /// Names without padding and color, for subscriptions.
  private(set) var names = CellTable()
  /// The widths of the columns.
  private(set) var streamWidth = 6
  private(set) var threadWidth = 4
  private(set) var operationWidth = 8
  private(set) var schedulerWidth = 9
  private(set) var kindWidth = 5

  /// A wider name does not widen its column: it pushes the rest of its own line aside, or is cut in
  /// the middle where lines are cut.
  private static let widest = 36

  private let style: OutputStyle

  init(source: some EventSource, filter: EventFilter, pid: UInt32, style: OutputStyle) {
    self.style = style
    let definitions = source.definitions
    let isOfStreams = filter.chosen != nil
    if !isOfStreams {
      streamWidth = width(of: definitions.schedulers.values.lazy.map(\.name), atLeast: streamWidth)
    }
    addStreams(filter.chosen.map { $0.map(\.id) } ?? Array(definitions.streams.keys), definitions)
    addSchedulers(definitions.schedulers, areShown: !isOfStreams)
    names = CellTable(definitions.streams.keys) { id in
      definitions.streams[id].map { TerminalText.escaped($0.name) }
    }
    addThreads(ThreadNames(definitions.threads, pid: pid), rings: definitions.threads.keys.sorted())
    addKinds(filter.kinds)
  }

  private mutating func addStreams(_ chosen: [UInt32], _ all: TraceDefinitions) {
    let definitions = all.streams
    let texts = chosen.lazy.compactMap { definitions[$0] }
    streamWidth = width(of: texts.map(\.name), atLeast: streamWidth)
    operationWidth = width(of: texts.map(\.operation), atLeast: operationWidth)
    streams = CellTable(chosen) { [style, streamWidth] id in
      definitions[id].map { style.padded($0.name, streamWidth, .stream($0.name)) }
    }
    operations = CellTable(chosen) { [style, operationWidth] id in
      definitions[id].map { style.padded($0.operation, operationWidth, nil) }
    }
  }

  private mutating func addSchedulers(
    _ definitions: [UInt32: SchedulerDefinition], areShown: Bool
  ) {
    let names = definitions.values.lazy.map(\.name)
    schedulerWidth = width(of: names, atLeast: schedulerWidth)
    running = CellTable(definitions.keys) { [style, schedulerWidth] id in
      definitions[id].map { style.padded($0.name, schedulerWidth, .dim) }
    }
    guard areShown else { return }
    schedulers = CellTable(definitions.keys) { [style, streamWidth] id in
      definitions[id].map { style.padded($0.name, streamWidth, .scheduler) }
    }
  }

  private mutating func addThreads(_ names: ThreadNames, rings: [UInt32]) {
    threadWidth = width(of: rings.lazy.map { names[$0] }, atLeast: threadWidth)
    threads = CellTable(rings) { [style, threadWidth] ring in
      style.padded(names[ring], threadWidth, .dim)
    }
  }

  private mutating func addKinds(_ chosen: KindSelection) {
    let known = RecordKind.allCases.filter { chosen.contains($0.rawValue) }
    kindWidth = known.map(\.name.utf8.count).max() ?? kindWidth
    kinds = CellTable(known.map { UInt32($0.rawValue) }) { [style, kindWidth] number in
      RecordKind(rawValue: UInt8(truncatingIfNeeded: number)).map { kind in
        style.padded(kind.name, kindWidth, Self.colour(kind))
      }
    }
  }

  private static func colour(_ kind: RecordKind) -> Colour? {
    switch kind {
    case .failed: .failed
    case .completed: .completed
    case .interrupted: .interrupted
    case .value, .log, .mark, .skipped: nil
    case .assembled, .subscribed, .ended, .absorbed, .hopScheduled, .hopBegan, .hopEnded,
      .hopCancelled, .sent, .waitBegan, .waitEnded, .read:
      .dim
    }
  }

  private func width(of texts: some Sequence<String>, atLeast least: Int) -> Int {
    let widths = texts.lazy.map { DisplayWidth.of(TerminalText.escaped($0)) }
    return min(max(widths.max() ?? 0, least), Self.widest)
  }

  /// The greatest number of bytes that the cells of one line take.
  var mostBytes: Int {
    max(streams.longest, schedulers.longest) + operations.longest + threads.longest
      + kinds.longest + names.longest + running.longest
  }

  /// The tables as plain memory.
  struct Reader {
    let streams, operations, schedulers, running, threads, kinds, names: CellTable.Reader
  }

  /// Lends the tables for fast access.
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

extension OutputStyle {
  /// Returns text that is safe to print, padded or cut to the width of a column.
  fileprivate func padded(_ text: String, _ columns: Int, _ colour: Colour?) -> String {
    let text = TerminalText.escaped(text)
    let cut =
      width == nil ? text : Chart.middleCut(text, to: columns, ellipsis: ascii ? ".." : "…")
    return (colour.map { paint(cut, $0) } ?? cut) + DisplayWidth.gap(after: cut, to: columns)
  }
}
