public import VarveFormat
public import VarveProbe

/// A set of event kinds to select.
public struct KindSelection: Sendable, Hashable {
  /// One bit for each `RecordKind.rawValue` below 64.
  private var bits: UInt64
  /// Whether `ended` is limited to events whose reason is `disposed`.
  private var onlyDisposed = false

  private init(bits: UInt64) { self.bits = bits }

  /// Every kind, including unknown ones.
  public static let all = KindSelection(bits: .max)

  /// Creates a set of the given kinds.
  public init(_ kinds: some Sequence<RecordKind>) {
    bits = kinds.reduce(0) { $0 | 1 << UInt64($1.rawValue) }
  }

  /// Reads kinds by name, separated by commas: `value,failed`. `hop` stands for all records about
  /// work on schedulers, `disposed` for the ends of subscriptions that were disposed of, and
  /// `terminal` for the three ends of a stream.
  ///
  /// - Throws: a `SelectionError` whenever a name is not that of a kind.
  public init(names: String) throws(SelectionError) {
    self.init(bits: 0)
    for name in names.split(separator: ",", omittingEmptySubsequences: false) {
      try insert(name.filter { $0 != " " })
    }
  }

  /// Whether the set contains every kind.
  public var isAll: Bool { self == .all }

  /// Returns whether any kind of a block may be in the set.
  public func mayIntersect(_ kinds: KindSet) -> Bool { kinds.bits & bits != 0 }

  /// Whether the reasons of ends are needed to decide which ends are in the set.
  public var needsReasons: Bool { onlyDisposed }

  /// Returns whether a kind may be in the set.
  public func contains(_ kind: UInt8) -> Bool { kind > 63 ? isAll : bits & 1 << UInt64(kind) != 0 }

  /// Returns whether an event is in the set. `reason` matters only for ends of subscriptions.
  public func contains(_ kind: UInt8, reason: UInt64) -> Bool {
    guard contains(kind) else { return false }
    guard onlyDisposed, kind == RecordKind.ended.rawValue else { return true }
    return ReasonPayload(word: reason).reason == UInt32(EndReason.disposed.rawValue)
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
    "hop": [.hopScheduled, .hopBegan, .hopEnded, .hopCancelled, .hopSampled],
    "terminal": [.failed, .completed, .interrupted],
  ]

  /// The names that a selection may consist of: those of groups of kinds, then those of kinds.
  public static var names: [String] {
    ["disposed"] + groups.keys.sorted() + RecordKind.allCases.map(\.name)
  }

  private static func unknown(_ name: String) -> SelectionError {
    let nearest = NearestName.of(name, among: names, most: 1).first
    let hint =
      nearest.map { "; did you mean \"\($0)\"?" } ?? "; there are \(names.joined(separator: ", "))"
    return SelectionError("no kind of event is called \"\(name)\"\(hint)")
  }
}
