public import VarveFormat
internal import VarveProbe

/// The streams that keep all they have delivered, for observers that come later, and so become larger with
/// each value.
///
/// A short recording may want this: these are guesses, for somebody who sees that memory grows.
public struct KeptReplays: Sendable {
  /// A stream that has repeated all of its values.
  public struct Stream: Sendable {
    /// The stream.
    public let stream: UInt32
    /// How many values it has repeated to one observer.
    public let values: UInt64
    /// The beginning of that observation.
    public let observation: EventName
  }

  /// The streams, that with most values first.
  public private(set) var all: [Stream] = []
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []

  private static let fewest: UInt64 = 24
  private static let mostStreams = 1_024

  /// Reads the observations of a trace's streams that replay.
  public init(_ reader: TraceReader, _ history: TraceHistory) throws(SelectionError) {
    let links = StreamLinks(history, reader.definitions, TraceWalk(reader))
    let replaying = reader.definitions.streams.values.filter {
      $0.traits?.contains(.replays) == true && $0.traits?.contains(.standsIn) == false
    }.map(\.id).sorted().prefix(Self.mostStreams)
    var counts: [UInt32: ReplayCount] = [:]
    var asked: [UInt32: UInt32] = [:]
    for stream in replaying {
      counts[stream] = ReplayCount(of: stream, links)
      for known in counts[stream]?.streams ?? [] { asked[known] = stream }
    }
    if counts.isEmpty { return }
    var selection = Selection()
    selection.streams = Set(asked.keys)
    selection.kinds = KindSelection([.value, .subscribed])
    var most: [UInt32: Stream] = [:]
    func judge(_ done: ReplayCount.Replay, of stream: UInt32) {
      guard done.replayed >= max(done.values, Self.fewest),
        done.replayed > most[stream]?.values ?? 0
      else { return }
      most[stream] = Stream(stream: stream, values: done.replayed, observation: done.event)
    }
    var query = try EventQuery(selection, in: reader, columns: [.kinds, .streams, .payloads])
    query.run { page in
      page.forEach { batch, index in
        let columns = batch.columns
        guard let stream = asked[columns.streams[index]],
          let kind = RecordKind(rawValue: columns.kinds[index]),
          let done = counts[stream]?.note(
            kind, of: columns.streams[index], columns.name(index), word: columns.words[index])
        else { return }
        judge(done, of: stream)
      }
      return true
    }
    for (stream, count) in counts { if let last = count.last { judge(last, of: stream) } }
    damage = query.damage
    all = most.values.sorted { ($1.values, $0.stream) < ($0.values, $1.stream) }
  }
}
