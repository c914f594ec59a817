public import VarveAnalysis

/// The columns that a line about an event can have.
public struct EventFields: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt16

  /// Creates a set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Its name, `#4.1749`, which `why` takes.
  public static let event = EventFields(rawValue: 1 << 0)
  /// When it happened.
  public static let time = EventFields(rawValue: 1 << 1)
  /// How long after the line above.
  public static let step = EventFields(rawValue: 1 << 2)
  /// On which thread.
  public static let thread = EventFields(rawValue: 1 << 3)
  /// The stream's name, or the scheduler's.
  public static let stream = EventFields(rawValue: 1 << 4)
  /// What kind of event.
  public static let kind = EventFields(rawValue: 1 << 5)
  /// The value, the error, the reason.
  public static let value = EventFields(rawValue: 1 << 6)
  /// The stream's operator.
  public static let operation = EventFields(rawValue: 1 << 7)
  /// The edge that feeds the stream, or the hop.
  public static let subscription = EventFields(rawValue: 1 << 8)
  /// The event during whose delivery it happened.
  public static let cause = EventFields(rawValue: 1 << 9)

  /// The scheduler in whose work it happened.
  public static let scheduler = EventFields(rawValue: 1 << 10)

  /// What is shown when nothing else is asked for.
  public static let usual: EventFields = [.event, .time, .step, .thread, .stream, .kind, .value]

  private static let names: [(String, EventFields)] = [
    ("event", .event), ("time", .time), ("step", .step), ("thread", .thread),
    ("stream", .stream), ("kind", .kind), ("value", .value), ("operator", .operation),
    ("subscription", .subscription), ("cause", .cause), ("scheduler", .scheduler),
  ]

  /// Reads a list: `time,stream,value` means these, `+cause,-thread` changes the usual ones.
  ///
  /// - Throws: a `SelectionError` whenever a name means no column.
  public init(list: String) throws(SelectionError) {
    let words = list.split(separator: ",").map { $0.filter { $0 != " " } }
    let changes = words.allSatisfy { $0.hasPrefix("+") || $0.hasPrefix("-") }
    self = changes ? .usual : []
    for word in words {
      let name = word.hasPrefix("+") || word.hasPrefix("-") ? String(word.dropFirst()) : word
      guard let field = Self.names.first(where: { $0.0 == name })?.1 else {
        let all = Self.names.map(\.0).joined(separator: ", ")
        throw SelectionError("there is no column \"\(name)\"; there are \(all)")
      }
      if word.hasPrefix("-") { remove(field) } else { insert(field) }
    }
    if isEmpty || words.isEmpty { throw SelectionError("no column is left to show") }
  }
}
