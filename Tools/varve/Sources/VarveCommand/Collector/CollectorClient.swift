internal import VarveFormat

/// Sends requests to a collector as OTLP demands: what it cannot take at the moment is sent again, at
/// longer and longer intervals, and what it refuses is reported.
final class CollectorClient {
  /// The number of spans that the collector took.
  private(set) var taken: UInt64 = 0
  /// The number of spans that it refused, and its last word on that.
  private(set) var rejected: UInt64 = 0
  private(set) var remark = ""
  /// Why no more can be sent.
  private(set) var failure: CommandEnd?

  private let endpoint: CollectorEndpoint
  private let connection: CollectorConnection
  private let packer = GzipPacker()
  private let waits: CollectorWaits
  private var hasAnswered = false

  /// The first interval, in seconds; each further one is up to twice as long, up to the longest.
  private static let firstInterval = 0.5
  private static let longestInterval = 30.0
  /// The time after which a request is given up, in seconds.
  private static let patience = 120.0
  /// The same for a collector that has never answered: perhaps there is none. It may just be starting.
  private static let firstPatience = 15.0
  private static let firstTries = 4

  init(_ endpoint: CollectorEndpoint, isQuiet: Bool) {
    self.endpoint = endpoint
    waits = CollectorWaits(isQuiet: isQuiet)
    connection = CollectorConnection(endpoint)
  }

  /// Sends a request with a number of spans, unless an earlier one failed.
  func post(_ request: [UInt8], spans: Int) {
    guard failure == nil else { return }
    let body = endpoint.isCompressed ? packer.packed(request) : request
    let begun = ContinuousClock.now
    var interval = Self.firstInterval
    var tries = 0
    while true {
      let trouble: String
      var wanted: Double?
      tries += 1
      do throws(CollectorFailure) {
        let answer = try connection.post(body, isPacked: endpoint.isCompressed)
        hasAnswered = true
        if answer.status / 100 == 2 { return take(answer, spans) }
        let said = answer.explanation
        trouble = "\(place): it answered \(answer.status)" + (said.isEmpty ? "" : ": \(said)")
        guard answer.asksForRetry else { return give(up: trouble, hint: Self.hint(answer.status)) }
        wanted = answer.seconds
      } catch {
        // A connection that breaks may do so because the collector begins anew.
        trouble = error.isUnreachable ? "\(error)" : "\(place): \(error)"
      }
      // By chance, so that many clients do not come back at the same moment.
      let wait = wanted ?? Double.random(in: interval / 2...interval)
      interval = min(interval * 2, Self.longestInterval)
      let end = Self.seconds(begun.duration(to: .now)) + wait
      guard hasAnswered || tries < Self.firstTries && end < Self.firstPatience else {
        return give(up: trouble, hint: "is a collector listening there?")
      }
      guard end < Self.patience else {
        return give(up: trouble, hint: "it has had two minutes; try again later")
      }
      waits.wait(wait, because: trouble)
    }
  }

  private var place: String { "http://\(endpoint.authority)\(endpoint.path)" }

  private func take(_ answer: CollectorAnswer, _ spans: Int) {
    taken += UInt64(spans)
    guard let partial = answer.partialSuccess else { return }
    rejected += partial.rejected
    taken -= min(partial.rejected, UInt64(spans))
    if !partial.message.isEmpty { remark = partial.message }
  }

  private func give(up trouble: String, hint: String) {
    let before = taken == 0 ? "" : "; \(taken) spans were sent before"
    failure = CommandEnd(.unreadable, "\(trouble)\(before); \(hint)")
  }

  private static func hint(_ status: Int) -> String {
    switch status {
    case 401, 403: "OTEL_EXPORTER_OTLP_HEADERS has what a collector wants to know of its clients"
    case 404, 405: "the usual address is http://localhost:4318/v1/traces"
    case 413: "it takes less at a time than varve sends"
    default: "--format otlp without a collector shows what was to be sent"
    }
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }
}
