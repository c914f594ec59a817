internal import CVarveSystem
internal import VarveProbe

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What is said when a value is sent from inside its own signal's delivery (contract E7), or when
/// threads wait for each other in a circle (E14).
///
/// The predecessors hang, abort or lose mutual exclusion here. A debugging library has to say what
/// happened: which signal, through which streams, where the delivery began, where it came back.
enum RecursionReport {
  /// Prints the report and stops the program.
  ///
  /// - Parameters:
  ///   - outer: an address in the frame of the send whose delivery is in progress.
  static func stop(domain: Domain, outer: UInt) -> Never {
    let summary = RecursionMessage.ofOwnDelivery(of: name(of: domain))
    let frames = StackFrames.capture()
    say(
      summary,
      details: [
        through(from: domain),
        frames.innermostOfUser(after: outer).map { "the delivery began:      \($0)" },
        frames.innermostOfUser(after: 0).map { "the send that came back: \($0)" },
        "Send after the delivery (on a scheduler), use a queued pipe, or break the loop.",
      ], about: domain)
  }

  /// Prints that threads wait for each other and stops the program.
  ///
  /// - Parameter circle: the domain that the calling thread waits for, then the one that the thread
  ///   inside that one waits for, and so on.
  static func stop(circle: [Domain]) -> Never {
    let names = circle.map { "'\(name(of: $0))'" }
    let frames = StackFrames.capture()
    let summary = RecursionMessage.ofCircle + names.joined(separator: ", ")
    // The outermost of the circle's domains that this thread is inside.
    let mine = Domain.delivering.first { domain in circle.contains { $0 === domain } }
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

  private static func name(of domain: Domain) -> String {
    domain.rootStream?.name ?? "a stream that has ended"
  }

  /// The streams that deliver on this thread, from `domain` to the innermost.
  private static func through(from domain: Domain) -> String? {
    let path = Domain.path(through: Domain.delivering.drop { $0 !== domain })
    guard !path.isEmpty else { return nil }
    return "the delivery's way:      " + path.map(\.name).joined(separator: " → ")
  }

  private static func say(_ summary: String, details: [String?], about domain: Domain?) -> Never {
    let message = RecursionMessage.text(summary, details: details.compactMap { $0 })
    // It names streams and code, and no values: it is told also where those must not be.
    if let stream = domain?.rootStream { Records.tell(message, about: stream) }
    var bytes = Array((message + "\n").utf8)
    _ = write(STDERR_FILENO, &bytes, bytes.count)
    fatalError(summary)
  }
}
