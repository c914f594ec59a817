internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// How the viewed trace differs from another: found out once, when it is first asked for.
final class ViewerDifference: Sendable {
  private let other: TraceReader
  private let name: String
  private let answer = Lock<(generation: Int, json: String)?>(nil)

  /// - Parameter name: the argument that names the other trace.
  init(_ other: TraceReader, name: String) {
    self.other = other
    self.name = name
  }

  func send(
    _ snapshot: ViewerSnapshot, _ files: [String], _ messages: ViewerMessages
  ) -> ViewerAnswer {
    if let known = answer.withLock({ $0 }), known.generation == snapshot.generation {
      messages.done(known.json)
      return .sent
    }
    let reading = InterruptibleReading(messages, of: snapshot.reader.events + other.events)
    let json = ViewerComparison.json(
      reading(snapshot.reader), files.joined(separator: " "), reading(other), name)
    guard !reading.isInterrupted else { return .sent }
    answer.withLock { $0 = (snapshot.generation, json) }
    messages.done(json)
    return .sent
  }
}
