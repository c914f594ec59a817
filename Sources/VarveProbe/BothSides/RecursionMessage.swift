/// How what is said begins when the library stops the program because of a recursion that it refuses.
/// Who stops it writes the text into the trace; who reads the trace knows it by this.
package enum RecursionMessage {
  /// A value was sent from inside its own stream's delivery.
  package static func ofOwnDelivery(of stream: String) -> String {
    ownDelivery + "'\(stream)' from inside its own delivery"
  }

  /// Threads wait for each other, each inside a delivery.
  package static let ofCircle =
    "threads wait for each other in a circle, each inside a delivery of one of these and waiting "
    + "for another: "

  /// A property was read or changed while it was being changed in place.
  package static func ofOwnChange(of property: String) -> String {
    "'\(property)'\(ownChange)use the value that the closure was given"
  }

  private static let ownDelivery = "a value was sent on "
  private static let ownChange = " was read or changed inside its own `modify`; "
  private static let library = "Varve: "

  /// The whole text: what happened, and below it the details.
  package static func text(_ summary: String, details: [String]) -> String {
    ([library + summary] + details).joined(separator: "\n  ")
  }

  /// What happened and the details, if a text is such a message.
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
