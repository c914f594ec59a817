internal import VarveFormat

/// Leaves out of the causes of events those that led to another of them, by any way: the transitive
/// reduction of a graph.
///
/// Which events led to which is worked out for some causes at a time, a bit for each, so that the
/// memory grows with the number of events and not with its square. The time does with the square,
/// however the causes lie, but sixty-four pairs at a time.
struct DirectCauses {
  /// So many words say which of some causes led to an event.
  private static let width = 16

  private let ordered: [TraceEvent]
  /// The causes of each event in turn, by their places.
  private var causes: [[Int]]
  /// Those that led to another.
  private var isIndirect: [[Bool]]

  /// The causes of each event that are not causes of its other causes, the latest first.
  static func find(in events: [EventName: TraceEvent]) -> [EventName: [EventName]] {
    var found = DirectCauses(events)
    // Most events have one cause, and of many graphs all have.
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

  /// Leaves out those of the causes from a place on, as many as there are bits, that led to others.
  private mutating func leaveOut(from first: Int) {
    let width = Self.width
    let end = min(first + width * 64, ordered.count)
    // For each event from there on, a bit for each of these that led to it.
    var bits = [UInt64](repeating: 0, count: (ordered.count - first) * width)
    for place in first..<ordered.count {
      let row = (place - first) * width
      // A cause that does not come before its effect is a file's lie.
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
