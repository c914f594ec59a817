public import VarveFormat
public import VarveProbe

/// Which kinds of events somebody wants to see.
public struct KindSelection: Sendable, Hashable {
  /// One bit for each `RecordKind.rawValue` below 64.
  private var bits: UInt64
  /// Of `ended`, only those whose reason is `disposed`.
  private var onlyDisposed = false

  private init(bits: UInt64) { self.bits = bits }

  /// Every kind, those that are not known here included.
  public static let all = KindSelection(bits: .max)

  /// Some kinds.
  public init(_ kinds: some Sequence<RecordKind>) {
    bits = kinds.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  }

  /// Reads kinds by name, separated by commas: `value,failed`. `hop` means all that happens to
  /// work on schedulers, `disposed` a subscription that ended because somebody disposed of it,
  /// `terminal` the three ends of a stream.
  ///
  /// - Throws: a `SelectionError` whenever a name means no kind.
  public init(names: String) throws(SelectionError) {
    self.init(bits: 0)
    for name in names.split(separator: ",", omittingEmptySubsequences: false) {
      try insert(name.filter { $0 != " " })
    }
  }

  /// Whether all is in the set.
  public var isAll: Bool { self == .all }

  /// Whether some kind of a block may be in the set.
  public func mayIntersect(_ kinds: KindSet) -> Bool { kinds.bits & bits != 0 }

  /// Whether a reader must see the reasons of ends to tell which are in the set.
  public var needsReasons: Bool { onlyDisposed }

  /// Whether a kind may be in the set.
  public func contains(_ kind: UInt8) -> Bool { kind > 63 ? isAll : bits & 1 << UInt64(kind) != 0 }

  /// Whether an event is in the set. `reason` is looked at for ends of subscriptions alone.
  public func contains(_ kind: UInt8, reason: UInt64) -> Bool {
    guard contains(kind) else { return false }
    guard onlyDisposed, kind == RecordKind.ended.rawValue else { return true }
    return reason == UInt64(EndReason.disposed.rawValue)
  }

  private mutating func insert(_ name: String) throws(SelectionError) {
    if name == "disposed" {
      let hadAllEnds = contains(RecordKind.ended.rawValue) && !onlyDisposed
      self = KindSelection(
        bits: bits | 1 << UInt64(RecordKind.ended.rawValue), disposed: !hadAllEnds)
    } else if let group = Self.groups[name] {
      bits |= KindSelection(group).bits
    } else if let kind = RecordKind.allCases.first(where: { $0.name == name }) {
      bits |= 1 << UInt64(kind.rawValue)
      if kind == .ended { onlyDisposed = false }
    } else {
      throw Self.unknown(name)
    }
  }

  private init(bits: UInt64, disposed: Bool) {
    self.bits = bits
    onlyDisposed = disposed
  }

  private static let groups: [String: [RecordKind]] = [
    "hop": [.hopScheduled, .hopBegan, .hopEnded, .hopCancelled],
    "terminal": [.failed, .completed, .interrupted],
  ]

  private static func unknown(_ name: String) -> SelectionError {
    let names = ["disposed"] + groups.keys.sorted() + RecordKind.allCases.map(\.name)
    let nearest = NearestName.of(name, among: names, most: 1).first
    let hint =
      nearest.map { "; did you mean \"\($0)\"?" } ?? "; there are \(names.joined(separator: ", "))"
    return SelectionError("no kind of event is called \"\(name)\"\(hint)")
  }
}
