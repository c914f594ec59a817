import VarveAnalysis
import VarveExport
import VarveFormat

/// What is done with a trace.
enum Way: UInt8, CaseIterable {
  /// Every column of every block, whole and one by one.
  case columns
  /// The lines of `varve replay`.
  case text, json
  /// Queries that choose.
  case query
  /// What `varve info` and `streams`, `why` and the findings say.
  case summary, story
  /// What checks and writes traces.
  case verification, repair, scrub, merge
  /// Reading a file that grows.
  case growth
  /// Pictures, other programs' formats, and what is told of an ending.
  case drawing, export, ending

  func take(_ reader: TraceReader) {
    switch self {
    case .columns: Self.decode(reader)
    case .text: Self.renderText(reader, Selection())
    case .json: Self.renderJSON(reader, Selection())
    case .query: Self.choose(reader)
    case .summary:
      _ = TraceSummaryText(reader, style: .plain).text()
      _ = TraceSummaryJSON.text(reader, findings: nil)
      _ = try? StreamCensus(Selection(), in: reader)
    case .story: Rendering.tellStories(reader)
    case .verification: _ = try? reader.verify()
    case .repair: Trial.shared.repair(reader)
    case .scrub: Trial.shared.scrub(reader)
    case .merge: Trial.shared.merge(reader)
    case .growth: Trial.shared.follow(reader)
    case .drawing: Rendering.draw(reader)
    case .export: Rendering.export(reader)
    case .ending: Rendering.tellEnding(reader)
    }
  }

  private static func decode(_ reader: TraceReader) {
    var columns = EventColumns()
    for index in reader.blocks.indices {
      let block = reader.blocks[index]
      for part in 0..<6 {
        let one = ColumnSet(rawValue: 1 << UInt16(part))
        _ = try? reader.decode(index, into: &columns, columns: one)
      }
      guard (try? reader.decode(index, into: &columns, columns: .all)) != nil else { continue }
      let isWhole = columns.count == block.count && columns.ticks.count == block.count
      demand(isWhole, "a block has other events than it says")
      let end = columns.textStarts.last.map { Int($0) }
      demand(end == columns.heap.count, "texts end where none does")
      for far in columns.farCauses { _ = reader.block(of: far.cause) }
      _ = reader.nanoseconds(sinceStart: block.ticks.upperBound)
      _ = reader.blocks(holding: block.streams, kinds: block.kinds, ticks: block.ticks)
      for index in [0, block.count - 1, block.count] { _ = reader.block(of: block.name(index)) }
    }
  }

  private static func renderText(_ reader: TraceReader, _ selection: Selection) {
    let output = ByteOutput { _ in nil }
    guard var query = try? EventQuery(selection, in: reader, columns: .all) else { return }
    let lines = EventTextRenderer(source: reader, filter: query.filter, pid: 1, output: output)
    query.run { page in
      lines.render(page)
      return true
    }
  }

  private static func renderJSON(_ reader: TraceReader, _ selection: Selection) {
    let output = ByteOutput { _ in nil }
    guard var query = try? EventQuery(selection, in: reader, columns: .all) else { return }
    let lines = EventJSONRenderer(source: reader, pid: 1, output: output)
    query.run { page in
      lines.render(page)
      return true
    }
  }

  /// Selections of every sort; what they choose is counted, and must not be more than there is.
  private static func choose(_ reader: TraceReader) {
    for selection in selections {
      guard var query = try? EventQuery(selection, in: reader, columns: .ticks) else { continue }
      var count = 0
      query.run { page in
        count += page.due.count
        return true
      }
      let isTold = query.count == UInt64(count) && query.count <= reader.events
      demand(isTold, "a query makes events up")
    }
  }

  // Safety: libFuzzer tries one input at a time, on one thread.
  nonisolated(unsafe) private static let selections: [Selection] = {
    var some = Selection()
    some.since = .part(0.3)
    some.until = .part(0.9)
    some.tail = 20
    var named = Selection()
    named.names = pattern("log*")
    named.head = 5
    var others = Selection()
    others.excluded = pattern("*tick*")
    others.condition = try? Condition("value > 3 && !(name ~ \"p*\") || kind == \"failed\"")
    var absorbed = Selection()
    absorbed.kinds = (try? KindSelection(names: "absorbed,hop,value")) ?? .all
    absorbed.since = .sinceStart(3)
    absorbed.until = .beforeEnd(1)
    var placed = Selection()
    placed.since = .event(EventName(ring: 1, sequence: 2))
    placed.upstreamOf = pattern("*even")
    var below = Selection()
    below.downstreamOf = pattern("login")
    below.subscriptions = [1, 2, 3]
    var threads = Selection()
    threads.threads = pattern("t*")
    threads.condition = try? Condition("time < 5ms || value == \"login\" || thread ~ \"*\"")
    var work = Selection()
    work.schedulers = pattern("*")
    return [some, named, others, absorbed, placed, below, threads, work]
  }()

  private static func pattern(_ text: String) -> [NamePattern] {
    [try? NamePattern(text)].compactMap(\.self)
  }
}
