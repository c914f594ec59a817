/// A question of the viewer's page: the last part of a request's path, and its parameters.
public struct ViewerQuestion: Sendable {
  /// What is asked for: `tiles`.
  public let name: String
  private let parameters: [String: String]

  /// The greatest number of lanes that a question may name.
  private static let mostLanes = 100_000

  /// Creates a question.
  public init(_ name: String, _ parameters: [String: String]) {
    self.name = name
    self.parameters = parameters
  }

  /// Whether it may take long, so that it is answered by messages, with progress.
  public var isLong: Bool { Self.long.contains(name) }

  private static let long: Set = [
    "live", "pyramid", "search", "statistics", "silence", "latency", "findings", "postmortem",
    "diff", "telling",
  ]

  subscript(parameter: String) -> String? { parameters[parameter] }

  func number(_ parameter: String) -> UInt64? { parameters[parameter].flatMap { UInt64($0) } }

  func count(_ parameter: String, most: Int) -> Int? {
    guard let number = number(parameter) else { return nil }
    return Int(min(number, UInt64(most)))
  }

  /// Lanes as ranges of numbers: `0-49,60`. Nil if none are named, or this is something else.
  var lanes: [Int]? {
    guard let text = parameters["lanes"] else { return nil }
    var lanes: [Int] = []
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "-", maxSplits: 1).map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first >= 0, first <= last,
        last - first < Self.mostLanes, lanes.count + last - first < Self.mostLanes
      else { return nil }
      lanes += first...last
    }
    return lanes
  }
}

/// An answer to the page.
public enum ViewerAnswer: Sendable {
  /// A document.
  case json(String)
  /// Tiles.
  case bytes([UInt8])
  /// All messages have been sent.
  case sent
  /// The question makes no sense, or there is no such thing.
  case refused(String)

  static func missing(_ what: String) -> ViewerAnswer { .refused("this recording has no \(what)") }
}

/// Where the messages of a long answer go.
public struct ViewerMessages: Sendable {
  /// Whether somebody still waits for the answer.
  public let isWanted: @Sendable () -> Bool
  private let send: @Sendable (String) -> Void

  /// Creates a way for messages.
  ///
  /// - Parameters:
  ///   - isWanted: whether somebody still waits for the answer.
  ///   - send: sends a server-sent event, as text.
  public init(
    isWanted: @escaping @Sendable () -> Bool, send: @escaping @Sendable (String) -> Void
  ) {
    self.isWanted = isWanted
    self.send = send
  }

  func row(_ json: String) { send("event: row\ndata: \(json)\n\n") }
  func rows(_ json: [String]) {
    send(json.map { "event: row\ndata: \($0)\n\n" }.joined())
  }
  func done(_ json: String) { send("event: done\ndata: \(json)\n\n") }

  func progress(_ done: UInt64, of total: UInt64) {
    send("event: progress\ndata: {\"done\":\(done),\"total\":\(total)}\n\n")
  }

  func failure(_ text: String) {
    send("event: failure\ndata: {\"message\":\(JSONText.quoted(text))}\n\n")
  }
}

/// Sends progress a few times a second, and notices when nobody waits any more.
struct ViewerProgress: Sendable {
  private let messages: ViewerMessages
  private let total: UInt64
  private let period: Duration
  private var next: ContinuousClock.Instant

  static let usualPeriod = Duration.milliseconds(100)

  init(_ messages: ViewerMessages, of total: UInt64, period: Duration = usualPeriod) {
    self.messages = messages
    self.total = total
    self.period = period
    next = .now + period
  }

  /// Tells how much is done; returns false if nobody wants the rest.
  mutating func goesOn(_ done: UInt64) -> Bool {
    let now = ContinuousClock.now
    guard now >= next else { return true }
    next = now + period
    messages.progress(min(done, total), of: total)
    return messages.isWanted()
  }
}
