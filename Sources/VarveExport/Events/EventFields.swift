public import VarveAnalysis

/// The columns of an event line.
public struct EventFields: OptionSet, Sendable, Hashable {
  /// The raw bits.
  public let rawValue: UInt16

  /// Creates a set from its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The event's name, `#4.1749`, which `why` takes.
  public static let event = EventFields(rawValue: 1 << 0)
  /// The time of the event.
  public static let time = EventFields(rawValue: 1 << 1)
  /// The time since the line above.
  public static let step = EventFields(rawValue: 1 << 2)
  /// The thread.
  public static let thread = EventFields(rawValue: 1 << 3)
  /// The name of the stream or scheduler.
  public static let stream = EventFields(rawValue: 1 << 4)
  /// The kind of event.
  public static let kind = EventFields(rawValue: 1 << 5)
  /// The value, the error, or the reason.
  public static let value = EventFields(rawValue: 1 << 6)
  /// The stream's operator.
  public static let operation = EventFields(rawValue: 1 << 7)
  /// The subscription that feeds the stream, or the hop.
  public static let subscription = EventFields(rawValue: 1 << 8)
  /// The event during whose delivery this one happened.
  public static let cause = EventFields(rawValue: 1 << 9)

  /// The scheduler whose work was running.
  public static let scheduler = EventFields(rawValue: 1 << 10)

  /// Where the stream was made.
  public static let place = EventFields(rawValue: 1 << 11)

  /// The columns that are shown by default; at a terminal, the place is too.
  public static let usual: EventFields = [.event, .time, .step, .thread, .stream, .kind, .value]

  private static let names: [(String, EventFields)] = [
    ("event", .event), ("time", .time), ("step", .step), ("thread", .thread),
    ("stream", .stream), ("kind", .kind), ("value", .value), ("operator", .operation),
    ("subscription", .subscription), ("cause", .cause), ("scheduler", .scheduler),
    ("place", .place),
  ]

  /// The names of all columns.
  package static var allNames: [String] { names.map(\.0) }

  /// Parses a list: `time,stream,value` selects these, `+cause,-thread` changes the default.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - usual: the columns that a list of changes begins with.
  ///
  /// - Throws: a `SelectionError` if a name is not that of a column, or no column is left.
  public init(list: String, changing usual: EventFields = .usual) throws(SelectionError) {
    let words = list.split(separator: ",").map { $0.filter { $0 != " " } }
    let changes = words.allSatisfy { $0.hasPrefix("+") || $0.hasPrefix("-") }
    self = changes ? usual : []
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
