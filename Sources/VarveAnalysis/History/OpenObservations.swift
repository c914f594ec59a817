public import VarveFormat

/// Observations that were still open when the trace ended. Those of similar streams are grouped: if
/// each page that is opened creates its own streams, they form one group.
public struct OpenObservations: Sendable {
  /// Observations of similar streams by similar observers.
  public struct Group: Sendable {
    /// The observed stream; if there are several similar ones, the newest.
    public var from: UInt32
    /// The observing stream; 0 for observers outside all streams.
    public var to: UInt32
    /// The number of observations.
    public var count: Int
    /// The number of observations that such streams ever had, including those that ended.
    public var everBegun: UInt64
    /// When the oldest observation began.
    public var oldest: EventMoment
    /// When the newest observation began.
    public var newest: EventMoment
    /// The beginnings of some of the observations.
    public var sample: [EventName]
    /// Edge numbers that order observations with the same beginning tick.
    fileprivate var oldestEdge: UInt64
    fileprivate var newestEdge: UInt64
  }

  /// The groups, oldest first.
  public private(set) var groups: [Group] = []

  /// Groups the open observations in a history whose observed stream matches `selection`. With
  /// `tillEnd`, observations that ended when the program was taken down count, too.
  public init(
    _ history: TraceHistory, _ definitions: TraceDefinitions, selection: Selection = Selection(),
    tillEnd: Bool = false
  ) {
    func likeness(_ stream: UInt32) -> StreamLikeness? {
      definitions.streams[stream].map(StreamLikeness.init)
    }
    func key(_ from: UInt32, _ to: UInt32) -> Key {
      Key(from: likeness(from), to: to == 0 ? nil : likeness(to), isOutside: to == 0)
    }
    var gathering = Gathering()
    for open in history.subscriptions.open { gathering.add(open, key(open.from, open.to)) }
    if tillEnd {
      for ended in history.subscriptions.takenDown {
        gathering.add(ended, key(ended.from, ended.to))
      }
    }
    for pair in history.subscriptions.connected {
      guard let place = gathering.places[key(pair.from, pair.to)] else { continue }
      gathering.groups[place].everBegun += history.subscriptions.pair(pair)?.count ?? 0
    }
    groups = gathering.groups
    groups.removeAll {
      !selection.matches(definitions.streams[$0.from] ?? StreamCensus.unknown($0.from))
    }
    groups.sort { ($0.oldest.ticks, $0.from, $0.to) < ($1.oldest.ticks, $1.from, $1.to) }
  }

  fileprivate struct Key: Hashable {
    var from: StreamLikeness?
    var to: StreamLikeness?
    var isOutside: Bool
  }

  /// The smallest number of observations that grow.
  private static let fewestGrown = 3

  /// Returns the group that grows most; nil if none does. Observations that hold one another grow
  /// together: of those, it is the one at the end of the flow, where the code is that began them.
  public static func grown(among groups: [Group]) -> Group? {
    let large = groups.filter { $0.count >= fewestGrown && $0.oldest.ticks < $0.newest.ticks }
    let most = large.map(\.count).max() ?? 0
    let similar = large.filter { $0.count * 4 >= most * 3 }
    let observed = Set(similar.map(\.from))
    let ends = similar.filter { $0.to == 0 || !observed.contains($0.to) }
    return (ends.isEmpty ? similar : ends).max {
      ($0.count, $0.newest.ticks, $0.newestEdge) < ($1.count, $1.newest.ticks, $1.newestEdge)
    }
  }

  /// Returns the groups whose observer is outside all streams or whose observed stream has a name:
  /// what the program's author wrote, without the operators between.
  public func atEnds(_ definitions: TraceDefinitions) -> [Group] {
    groups.filter { $0.to == 0 || definitions.streams[$0.from]?.isNamed == true }
  }
}

/// Collects observations into groups one by one.
private struct Gathering {
  var groups: [OpenObservations.Group] = []
  var places: [OpenObservations.Key: Int] = [:]

  /// The maximum number of beginnings kept in a group.
  private static let mostSamples = 64

  mutating func add(_ open: SubscriptionHistory.Open, _ key: OpenObservations.Key) {
    guard let place = places[key] else {
      places[key] = groups.count
      return groups.append(OpenObservations.Group(open))
    }
    groups[place].count += 1
    groups[place].take(open)
    if groups[place].sample.count < Self.mostSamples {
      groups[place].sample.append(open.began.name)
    }
  }
}

extension OpenObservations.Group {
  fileprivate init(_ open: SubscriptionHistory.Open) {
    (from, to, count, everBegun) = (open.from, open.to, 1, 0)
    (oldest, newest, sample) = (open.began, open.began, [open.began.name])
    (oldestEdge, newestEdge) = (open.edge, open.edge)
  }

  fileprivate mutating func take(_ open: SubscriptionHistory.Open) {
    let began = (open.began.ticks, open.edge)
    if began < (oldest.ticks, oldestEdge) { (oldest, oldestEdge) = (open.began, open.edge) }
    guard (newest.ticks, newestEdge) < began else { return }
    (newest, newestEdge, from, to) = (open.began, open.edge, open.from, open.to)
  }
}
