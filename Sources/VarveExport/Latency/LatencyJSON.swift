public import VarveAnalysis
internal import VarveFormat

/// Writes how long work waited at each scheduler and how long it ran, and what else lets work
/// wait, one JSON object per line.
///
/// The keys are a promise. Each object has a `subject`:
/// - a `scheduler` for each scheduler: `scheduler`, `work`, `cancelled`, `depth`, then `wait`,
///   `behind` and `run` with the members `p50_ns`, `p90_ns`, `p99_ns`, `max_ns` and `count`,
///   `slowest`: events with `event` and `run_ns`, and `delayed`: those with `event` and
///   `behind_ns`;
/// - a `pause` for each operator that lets values wait: `stream`, `name`, `place`, `reason`
///   (`turn` or `restart`), `waited_ns`, `count` and `event` (which ended the wait);
/// - an `await` for each line at which tasks waited: `place`, `times`, `together_ns`,
///   `longest_ns` and `event` (which ended the longest wait);
/// - a `guess` for each guess about what made tasks late, with the keys of findings;
/// - last, unless nothing waited or ran long, the place to look at: `marked` (or null) and
///   `evidence`, a sentence for people, which may change. Its subject is `marked`.
public struct LatencyJSON {
  private let words: TraceWords
  private let answer: LatencyText?

  /// Prepares to write about the schedulers of a trace, and what `answer` knows besides.
  public init(_ words: TraceWords, _ answer: LatencyText? = nil) {
    self.words = words
    self.answer = answer
  }

  /// Returns the objects, one per line.
  public func text(_ schedulers: [SchedulerAccount]) -> String {
    (schedulers.map(object) + rest(schedulers)).map { $0 + "\n" }.joined()
  }

  private func subject(_ name: String) -> JSONMembers {
    JSONMembers().adding("subject", JSONText.quoted(name))
  }

  private func object(_ account: SchedulerAccount) -> String {
    func events(_ slow: [SchedulerAccount.Slow], _ key: String) -> String {
      let objects = slow.map { "{\"event\":\($0.event.name.json),\"\(key)\":\($0.nanoseconds)}" }
      return "[\(objects.joined(separator: ","))]"
    }
    return subject("scheduler")
      .adding("scheduler", JSONText.quoted(words.scheduler(account.id)))
      .adding("work", String(account.given))
      .adding("cancelled", String(account.cancelled))
      .adding("depth", String(account.deepest?.depth ?? 0))
      .adding("wait", histogram(account.wait))
      .adding("behind", histogram(account.behind))
      .adding("run", histogram(account.run))
      .adding("slowest", events(account.slowest, "run_ns"))
      .adding("delayed", events(account.mostDelayed.filter { $0.nanoseconds > 0 }, "behind_ns"))
      .text
  }

  private func histogram(_ histogram: DurationHistogram) -> String {
    JSONMembers()
      .adding("p50_ns", String(histogram.quantile(0.5)))
      .adding("p90_ns", String(histogram.quantile(0.9)))
      .adding("p99_ns", String(histogram.quantile(0.99)))
      .adding("max_ns", String(histogram.longest))
      .adding("count", String(histogram.count))
      .text
  }

  // MARK: - Besides schedulers

  private func rest(_ schedulers: [SchedulerAccount]) -> [String] {
    guard let answer else { return [] }
    let findings = FindingJSON(words, lookup: answer.lookup, command: TraceCommand([]))
    let marked = answer.telling(schedulers).map { sentence, place in
      subject("marked").adding("marked", place.map(JSONText.quoted) ?? "null")
        .adding("evidence", JSONText.quoted(sentence)).text
    }
    return answer.pauses.map(object) + answer.waitingPlaces.map(object)
      + answer.slow.map { findings.members($0, of: subject("guess")).text }
      + [marked].compactMap { $0 }
  }

  private func object(_ pause: StreamPauses.Pause) -> String {
    let stream = words.definitions.streams[pause.stream]
    let place = words.place(.stream(pause.stream))
    return subject("pause")
      .adding("stream", String(pause.stream))
      .adding("name", stream.map { JSONText.quoted($0.name) } ?? "null")
      .adding("place", place.map(JSONText.quoted) ?? "null")
      .adding("reason", pause.reason == .turn ? "\"turn\"" : "\"restart\"")
      .adding("waited_ns", String(pause.nanoseconds))
      .adding("count", String(pause.count))
      .adding("event", pause.event.json).text
  }

  private func object(_ place: String, _ wait: AwaitTimes.Place) -> String {
    subject("await")
      .adding("place", JSONText.quoted(place))
      .adding("times", String(wait.times))
      .adding("together_ns", String(wait.nanoseconds))
      .adding("longest_ns", String(wait.longest))
      .adding("event", wait.event.json).text
  }
}
