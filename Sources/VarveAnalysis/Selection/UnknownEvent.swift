package import VarveFormat

/// Errors that say what is wrong with an event's name and what to try instead.
package enum UnknownEvent {
  /// Returns the error for a text that is not an event's name.
  package static func unclear(_ text: String) -> SelectionError {
    let digits = text.drop { $0 == "#" }
    let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { 48...57 ~= $0 }
    let why = isNumber ? "does not say of which thread" : "is no event"
    return SelectionError(
      "\"\(text)\" \(why); events are called after thread and ordinal, such as "
        + "\"#\(isNumber ? "1.\(digits)" : "4.1749")\" (varve info --threads lists the threads)")
  }

  /// Returns the error for an event that a trace does not hold.
  package static func error(_ event: EventName, in source: some EventSource) -> SelectionError {
    let blocks = source.blocks.filter { $0.ring == event.ring }
    guard let first = blocks.first, let last = blocks.last else {
      return SelectionError(
        "there is no event #\(event): the trace holds nothing of thread "
          + "\(EventName.thread(event.ring))\(recordings(event, source))")
    }
    let (least, most) = (first.name(0), last.name(last.count - 1))
    guard least < event, event < most else {
      return SelectionError(
        "there is no event #\(event); the trace has #\(least) to #\(most) of that thread")
    }
    return SelectionError("event #\(event) is missing: it was lost, or lies in a damaged block")
  }

  /// Suggests the same thread number in other recordings.
  private static func recordings(_ event: EventName, _ source: some EventSource) -> String {
    let number = event.ring & EventName.ringBits
    let rings = Set(source.blocks.lazy.map(\.ring)).filter { $0 & EventName.ringBits == number }
    guard !rings.isEmpty else { return "; varve info --threads lists the threads" }
    let names = rings.sorted().prefix(4).map {
      "#\(EventName(ring: $0, sequence: event.sequence))"
    }
    return "; try \(names.joined(separator: " or "))"
  }
}
