internal import VarveFormat

/// Removes from the causes of each event those that led to another of its causes, by any path: the
/// transitive reduction of a graph.
///
/// Reachability is computed for a batch of causes at a time, with one bit for each, so that memory
/// grows with the number of events and not with its square. The time does grow with the square,
/// whatever the shape of the graph, but sixty-four pairs are handled at a time.
struct DirectCauses {
  /// The number of words that say which causes of a batch led to an event.
  private static let width = 16

  private let ordered: [TraceEvent]
  /// The causes of each event, as indices into `ordered`.
  private var causes: [[Int]]
  /// Whether each of these causes led to another cause of its event.
  private var isIndirect: [[Bool]]

  /// Returns the causes of each event, latest first, without those that are also causes of its
  /// other causes.
  static func find(in events: [EventName: TraceEvent]) -> [EventName: [EventName]] {
    var found = DirectCauses(events)
    // Most events have one cause, and in many graphs all of them do.
    if found.causes.contains(where: { $0.count > 1 }) {
      for first in stride(from: 0, to: found.ordered.count, by: width * 64) {
        found.leaveOut(from: first)
      }
    }
    return found.byName
  }

  private init(_ events: [EventName: TraceEvent]) {
    let ordered = events.values.sorted { $0.isBefore($1) }
    let places = Dictionary(
      uniqueKeysWithValues: ordered.enumerated().map { ($1.name, $0) })
    self.ordered = ordered
    causes = ordered.map { event in event.causes.compactMap { places[$0] } }
    isIndirect = causes.map { [Bool](repeating: false, count: $0.count) }
  }

  /// Marks the indirect causes among a batch of events: as many as there are bits, starting at an
  /// index.
  private mutating func leaveOut(from first: Int) {
    let width = Self.width
    let end = min(first + width * 64, ordered.count)
    // For each event from `first` on, a bit for each event of the batch that led to it.
    var bits = [UInt64](repeating: 0, count: (ordered.count - first) * width)
    for place in first..<ordered.count {
      let row = (place - first) * width
      // Only a damaged file has a cause that does not precede its effect.
      for cause in causes[place] where cause >= first && cause < place {
        if cause < end { bits[row + (cause - first) / 64] |= 1 << UInt64((cause - first) % 64) }
        for word in 0..<width { bits[row + word] |= bits[(cause - first) * width + word] }
      }
      guard causes[place].count > 1 else { continue }
      for (index, cause) in causes[place].enumerated() where cause >= first && cause < end {
        let (word, bit) = ((cause - first) / 64, UInt64((cause - first) % 64))
        isIndirect[place][index] = causes[place].contains { other in
          other != cause && other >= first && other < place
            && bits[(other - first) * width + word] >> bit & 1 == 1
        }
      }
    }
  }

  private var byName: [EventName: [EventName]] {
    var direct: [EventName: [EventName]] = [:]
    for (place, event) in ordered.enumerated() {
      let kept = zip(causes[place], isIndirect[place]).filter { !$0.1 }.map(\.0)
      direct[event.name] = kept.sorted(by: >).map { ordered[$0].name }
    }
    return direct
  }
}
