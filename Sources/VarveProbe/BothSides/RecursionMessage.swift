/// The wording of the messages with which the library stops the program because of a forbidden
/// recursion. The runtime writes them into the trace, and readers of the trace recognize them.
package enum RecursionMessage {
  /// Says that a value was sent from inside its own stream's delivery.
  package static func ofOwnDelivery(of stream: String) -> String {
    ownDelivery + "'\(stream)' from inside its own delivery"
  }

  /// Says that threads wait for each other, each inside a delivery.
  package static let ofCircle =
    "threads wait for each other in a circle, each inside a delivery of one of these and waiting "
    + "for another: "

  /// Says that a property was read or changed while it was being changed in place.
  package static func ofOwnChange(of property: String) -> String {
    "'\(property)'\(ownChange)use the value that the closure was given"
  }

  private static let ownDelivery = "a value was sent on "
  private static let ownChange = " was read or changed inside its own `modify`; "
  private static let library = "Varve: "

  /// Returns the whole text: the summary, and the details below it.
  package static func text(_ summary: String, details: [String]) -> String {
    ([library + summary] + details).joined(separator: "\n  ")
  }

  /// Returns the summary and the details, or nil if the text is no such message.
  package static func parts(of text: String) -> (summary: String, details: [String])? {
    let lines = text.split(separator: "\n").map { line in String(line.drop { $0 == " " }) }
    guard let first = lines.first, first.hasPrefix(library) else { return nil }
    let summary = String(first.dropFirst(library.count))
    guard
      summary.hasPrefix(ownDelivery) || summary.hasPrefix(ofCircle)
        || summary.hasPrefix("'") && summary.contains(ownChange)
    else { return nil }
    return (summary, Array(lines.dropFirst()))
  }
}
