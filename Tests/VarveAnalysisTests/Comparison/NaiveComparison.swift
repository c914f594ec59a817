import VarveAnalysis
import VarveFormat
import VarveProbe

/// A comparison that keeps everything: every block is decoded, all events are sorted, and the
/// deliveries of each name lie side by side.
struct NaiveComparison: Equatable {
  struct Divergence: Hashable {
    var name: String
    var ordinal: Int
    var left: EventName?
    var right: EventName?
    var leftCount: Int
    var rightCount: Int
  }

  var same = 0
  var divergences: Set<Divergence> = []
  var onlyLeft: [String] = []
  var onlyRight: [String] = []

  private struct Delivery {
    var event: EventName
    var content: [UInt64]
  }

  /// Compares whole traces.
  init(_ left: TraceReader, _ right: TraceReader) throws {
    let (mine, theirs) = (try Self.deliveries(left), try Self.deliveries(right))
    onlyLeft = mine.keys.filter { theirs[$0] == nil }.sorted()
    onlyRight = theirs.keys.filter { mine[$0] == nil }.sorted()
    for (name, one) in mine {
      guard let other = theirs[name] else { continue }
      let shared = zip(one, other).prefix { $0.content == $1.content }.count
      if shared == one.count, shared == other.count {
        same += 1
      } else {
        divergences.insert(
          Divergence(
            name: name, ordinal: shared + 1, left: one.dropFirst(shared).first?.event,
            right: other.dropFirst(shared).first?.event, leftCount: one.count,
            rightCount: other.count))
      }
    }
  }

  /// What another comparison found.
  init(_ comparison: TraceComparison) {
    same = comparison.same
    onlyLeft = comparison.onlyLeft
    onlyRight = comparison.onlyRight
    divergences = Set(
      comparison.divergences.map {
        Divergence(
          name: $0.name, ordinal: $0.ordinal, left: $0.left, right: $0.right,
          leftCount: $0.leftCount, rightCount: $0.rightCount)
      })
  }

  private static func deliveries(_ reader: TraceReader) throws -> [String: [Delivery]] {
    let kinds: [RecordKind] = [.value, .failed, .completed, .interrupted]
    var all: [(place: [UInt64], name: String, delivery: Delivery)] = []
    for block in reader.blocks.indices {
      var columns = EventColumns()
      try reader.decode(block, into: &columns, columns: .all)
      for index in 0..<columns.count
      where kinds.contains(where: { $0.rawValue == columns.kinds[index] }) {
        let stream = columns.streams[index]
        let text = columns.heap[
          Int(columns.textStarts[index])..<Int(columns.textStarts[index + 1])]
        let content =
          [UInt64(columns.kinds[index]), UInt64(columns.payloadKinds[index]), columns.words[index]]
          + text.map { UInt64($0) }
        let event = columns.name(index)
        all.append(
          (
            [columns.ticks[index], UInt64(columns.ring), columns.firstSequence + UInt64(index)],
            reader.definitions.streams[stream]?.name ?? "stream \(stream)",
            Delivery(event: event, content: content)
          ))
      }
    }
    all.sort { $0.place.lexicographicallyPrecedes($1.place) }
    return all.reduce(into: [:]) { $0[$1.name, default: []].append($1.delivery) }
  }
}
