public import VarveFormat
internal import VarveProbe

/// The streams whose values become longer and longer: operators that gather, and properties.
///
/// A program that gathers what it needs does so, too: these are guesses, for somebody who sees that
/// memory grows and whose observations do not.
public struct GrowingValues: Sendable {
  /// A stream whose values grow.
  public struct Growth: Sendable {
    /// The stream.
    public let stream: UInt32
    /// The number of its values.
    public fileprivate(set) var values: UInt64 = 0
    /// The length of its first and its longest value as text, in bytes.
    public fileprivate(set) var first: UInt64 = 0
    /// See `first`.
    public fileprivate(set) var most: UInt64 = 0
    /// Its last value.
    public fileprivate(set) var last: EventMoment?
    /// Whether the longest had more than what a record keeps of a value that describes itself: how much
    /// it had is not known then.
    public fileprivate(set) var isCut = false
    /// The length of its last value, and how many values were shorter than the one before.
    fileprivate var length: UInt64 = 0
    fileprivate var shorter: UInt64 = 0

    fileprivate init(_ stream: UInt32) { self.stream = stream }

    fileprivate mutating func note(_ whole: UInt64, _ form: PayloadKind, _ moment: EventMoment) {
      // How far beyond the limit a description went tells nothing: it ends with the part that crosses it.
      let limit = form == .description ? UInt64(RecordHead.longestDescription) : UInt64.max
      let length = min(whole, limit)
      if length == limit { isCut = true }
      if values == 0 { first = length }
      if length < self.length { shorter += 1 }
      most = max(most, length)
      self.length = length
      last = moment
      values += 1
    }

    /// Whether hardly any value was shorter than the one before, the last is nearly the longest, and that
    /// is several times as long as the first, or may be.
    fileprivate var isSteady: Bool {
      let times = isCut ? GrowingValues.timesIfCut : GrowingValues.times
      return values >= GrowingValues.fewest && shorter * 16 <= values && length * 8 >= most * 7
        && most >= max(first, GrowingValues.shortest) * times
    }
  }

  /// Those that grow, the sources of growth first: what an operator makes of a value that grows is not
  /// among them.
  public private(set) var all: [Growth] = []
  /// Damaged blocks that were passed over.
  public private(set) var damage: [TraceFileError] = []

  fileprivate static let fewest: UInt64 = 24
  fileprivate static let shortest: UInt64 = 16
  fileprivate static let times: UInt64 = 4
  fileprivate static let timesIfCut: UInt64 = 2
  private static let mostStreams = 4_096

  /// Reads the values of a trace's gathering operators and properties.
  public init(_ reader: TraceReader, _ selection: Selection = Selection()) throws(SelectionError) {
    let gathering = reader.definitions.streams.values.filter {
      $0.traits?.contains(.gathers) == true || $0.traits?.isSuperset(of: [.hot, .replays]) == true
    }.map(\.id).sorted().prefix(Self.mostStreams)
    if gathering.isEmpty { return }
    var growths = gathering.reduce(into: [UInt32: Growth]()) { $0[$1] = Growth($1) }
    var selection = selection.times
    selection.streams = Set(gathering)
    selection.kinds = KindSelection([.value])
    var query = try EventQuery(selection, in: reader, columns: [.ticks, .streams, .payloads])
    query.run { page in
      page.forEach { batch, index in
        let columns = batch.columns
        let form = PayloadKind(rawValue: columns.payloadKinds[index])
        guard let form, [.string, .bytes, .description].contains(form) else { return }
        let moment = EventMoment(name: columns.name(index), ticks: columns.ticks[index])
        growths[columns.streams[index]]?.note(columns.words[index], form, moment)
      }
      return true
    }
    damage = query.damage
    all = growths.values.filter(\.isSteady).sorted { $0.stream < $1.stream }
  }
}
