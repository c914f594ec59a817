internal import CVarveSystem
internal import VarvePlatform
internal import VarveProbe

/// The report on a value sent from inside its own signal's delivery (contract E7), or on threads
/// that wait for each other in a circle (E14).
///
/// The predecessors hang, abort or lose mutual exclusion in these cases. A debugging library has to
/// say what happened: which signal, through which streams, where the delivery began, and where it
/// came back.
enum RecursionReport {
  /// Prints the report and stops the program.
  ///
  /// - Parameters:
  ///   - outer: an address in the frame of the send whose delivery is in progress.
  static func stop(serializer: Serializer, outer: UInt) -> Never {
    let summary = RecursionMessage.ofOwnDelivery(of: name(of: serializer))
    let frames = StackFrames.capture()
    say(
      summary,
      details: [
        through(from: serializer),
        frames.innermostOfUser(after: outer).map { "the delivery began:      \($0)" },
        frames.innermostOfUser(after: 0).map { "the send that came back: \($0)" },
        "Send after the delivery (on a scheduler), use a queued pipe, or break the loop.",
      ], about: serializer)
  }

  /// Reports threads that wait for each other in a circle and stops the program.
  static func stop(circle: [Serializer]) -> Never {
    let names = circle.map { "'\(name(of: $0))'" }
    let frames = StackFrames.capture()
    let summary = RecursionMessage.ofCircle + names.joined(separator: ", ")
    // The outermost serializer of the circle that this thread is inside.
    let mine = Serializer.delivering.first { serializer in circle.contains { $0 === serializer } }
    say(
      summary,
      details: [
        mine.flatMap { through(from: $0) },
        mine.flatMap { frames.innermostOfUser(after: $0.ownerAddress) }.map {
          "this thread's delivery began: \($0)"
        },
        frames.innermostOfUser(after: 0).map { "this thread waits at:         \($0)" },
        "Send after the delivery (on a scheduler), or let both signals share one thread.",
      ], about: circle.first)
  }

  private static func name(of serializer: Serializer) -> String {
    serializer.rootStream?.name ?? "a stream that has ended"
  }

  /// Describes the streams that are delivering on this thread, from `serializer` to the innermost.
  private static func through(from serializer: Serializer) -> String? {
    let path = Serializer.path(through: Serializer.delivering.drop { $0 !== serializer })
    guard !path.isEmpty else { return nil }
    return "the delivery's way:      " + path.map(\.name).joined(separator: " → ")
  }

  private static func say(_ summary: String, details: [String?], about serializer: Serializer?)
    -> Never
  {
    let message = RecursionMessage.text(summary, details: details.compactMap { $0 })
    // The message names streams and code but no values, so it is recorded even where values must
    // not be.
    if let stream = serializer?.rootStream { Records.tell(message, about: stream) }
    var bytes = Array((message + "\n").utf8)
    _ = write(STDERR_FILENO, &bytes, bytes.count)
    fatalError(summary)
  }
}
