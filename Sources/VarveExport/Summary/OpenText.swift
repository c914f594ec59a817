public import VarveAnalysis
internal import VarveProbe

/// A table of observations that had not ended at some moment: stream, age, observer.
public struct OpenText {
  private let words: TraceWords
  private let lookup: EventLookup
  private let end: UInt64

  /// Prepares to write such tables. Ages are measured up to the tick `end` of that moment.
  public init(_ words: TraceWords, lookup: EventLookup, end: UInt64) {
    self.words = words
    self.lookup = lookup
    self.end = end
  }

  /// Returns the table, with a line break after each line.
  public func text(_ groups: [OpenObservations.Group]) -> String {
    lines(groups).map { $0 + "\n" }.joined()
  }

  /// The line that says at which moment the observations were open.
  public var lastMoment: String {
    let text = "open at \(words.moment(end)), before the program took itself down"
    return "\n" + words.style.paint(text + " (--until chooses another moment)", .dim) + "\n"
  }

  func lines(_ groups: [OpenObservations.Group]) -> [String] {
    var table = TextTable(
      [
        ("STREAM", false), ("PLACE", false), ("OBSERVED BY", false), ("OPEN", true),
        ("AGE", true), ("SUBSCRIBED", false),
      ], style: words.style)
    for group in groups {
      let name = words.definitions.streams[group.from]?.name ?? ""
      table.add([
        TextTable.Cell(words.stream(group.from), words.isNamed(group.from) ? .stream(name) : .dim),
        TextTable.Cell(words.place(of: group.from) ?? "", .dim),
        TextTable.Cell(observer(group)),
        TextTable.Cell(Counted.grouped(UInt64(group.count)), group.count > 7 ? .failed : nil),
        TextTable.Cell(age(group)),
        TextTable.Cell(subscriber(group)),
      ])
    }
    return table.lines
  }

  private func observer(_ group: OpenObservations.Group) -> String {
    guard group.to != 0 else { return "an observer" }
    let place = words.places.exact(group.to).map { " (\(TerminalText.escaped($0.description)))" }
    return words.shortStream(group.to) + (place ?? "")
  }

  private func age(_ group: OpenObservations.Group) -> String {
    let oldest = words.span(from: group.oldest.ticks, to: end)
    guard group.count > 1 else { return oldest }
    let dash = words.style.ascii ? "-" : "–"
    return "\(words.span(from: group.newest.ticks, to: end)) \(dash) \(oldest)"
  }

  /// Returns the code that started the newest observation, and the event that caused it.
  private func subscriber(_ group: OpenObservations.Group) -> String {
    let moment = group.newest
    let thread = words.thread(moment.ring)
    let code = lookup[moment.name].flatMap(words.observer).map { ", \($0)" } ?? ""
    return because(moment, thread) + code
  }

  private func because(_ moment: EventMoment, _ thread: String) -> String {
    guard let cause = NamedCause.of(moment.name, in: lookup, words) else {
      return "#\(moment.name) on \(thread)"
    }
    let place = words.place(of: cause.stream).map { " (\($0))" } ?? ""
    return "#\(moment.name) \(words.arrow) #\(cause.name) \(words.phrase(cause))\(place)"
  }
}
