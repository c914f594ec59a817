public import VarveFormat
public import VarveProbe

/// The producers whose start handlers begin something that sends again and again, and take no notice of
/// the end of what they were started for: it goes on, once more for each start.
///
/// What goes on is outside all streams, so that a trace has only signs of it, and the source the rest: these
/// are guesses, for somebody who sees that memory grows and whose observations do not.
public struct UnstoppedProducers {
  /// Producers that one line made.
  public struct Producer {
    /// One of them.
    public let stream: UInt32
    /// How many of their runs were stopped.
    public let stopped: UInt64
    /// The line of the start handler with what goes on.
    public let place: Place
  }

  /// The producers, those first that were stopped most often.
  public private(set) var all: [Producer] = []
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []

  private static let fewest: UInt64 = 3
  private static let mostStreams = 16_384

  /// What the producers of one line did.
  private struct Account {
    let stream: UInt32
    var stopped: UInt64 = 0
    var values: UInt64 = 0
    var last: EventName?
  }

  /// Looks for them in a trace, and in the source of its program.
  public init(
    _ reader: TraceReader, lookup: EventLookup, symbols: Symbolizer
  ) throws(SelectionError) {
    let producers = reader.definitions.streams.values.filter {
      $0.traits?.contains(.hasEffects) == true && $0.place != nil && $0.parents.isEmpty
    }.sorted { $0.id < $1.id }.prefix(Self.mostStreams)
    if producers.isEmpty { return }
    let likeness = Dictionary(
      uniqueKeysWithValues: producers.map { ($0.id, StreamLikeness($0)) })
    var selection = Selection()
    selection.streams = Set(likeness.keys)
    selection.kinds = KindSelection([.value, .interrupted])
    var accounts: [StreamLikeness: Account] = [:]
    var query = try EventQuery(selection, in: reader, columns: [.kinds, .streams])
    query.run { page in
      page.forEach { batch, index in
        let stream = batch.columns.streams[index]
        guard let key = likeness[stream] else { return }
        if batch.columns.kinds[index] == RecordKind.interrupted.rawValue {
          accounts[key, default: Account(stream: stream)].stopped += 1
        } else {
          accounts[key, default: Account(stream: stream)].values += 1
          accounts[key]?.last = batch.columns.name(index)
        }
      }
      return true
    }
    damage = query.damage
    var handlers = StartHandlers()
    for account in accounts.values.sorted(by: { ($1.stopped, $0.stream) < ($0.stopped, $1.stream) })
    where account.stopped >= Self.fewest && account.values >= 2 * account.stopped {
      guard let place = reader.definitions.streams[account.stream]?.place,
        let stack = account.last.flatMap(lookup.sender), let sent = reader.definitions.stacks[stack]
      else { continue }
      symbols.lookUpOwn(sent.frames)
      let frames = symbols.named(sent.frames).filter { !$0.isMachinery && $0.line > 0 }
      guard let going = handlers.unstopped(at: place, sendingFrom: frames) else { continue }
      all.append(Producer(stream: account.stream, stopped: account.stopped, place: going))
    }
  }
}
