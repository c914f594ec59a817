internal import VarveAnalysis

/// Writes where the time of a piece of work went.
struct StepWords {
  private let words: TraceWords

  private let lookup: EventLookup
  private let samples: WorkSamples?

  init(_ words: TraceWords, _ lookup: EventLookup, _ samples: WorkSamples? = nil) {
    self.words = words
    self.lookup = lookup
    self.samples = samples
  }

  /// The line at which a step took long: samples of the work tell it, if there are any.
  func place(of step: LongestStep) -> String? {
    guard step.after.isHop else {
      return words.place(.stream((step.placed ?? step.after).stream))
    }
    let sampled = step.before.isHop ? samples?[step.before.subscription] : nil
    // The code that made a task is no `await` after which it goes on.
    let scheduled = words.schedulingStack(step.before, lookup)
    let goesOn = scheduled?.frames.first?.isResumption == true ? scheduled?.id : nil
    return sampled.flatMap { words.place($0.place(scheduled: goesOn)) }
      ?? words.placeOfWork(step.before, lookup)
  }

  /// `, waiting for a lock that thread 3 held`, if samples of the work tell it.
  private func lock(_ step: LongestStep) -> String {
    guard step.before.isHop, let holder = samples?[step.before.subscription]?.holder, holder != 0
    else { return "" }
    return ", waiting for a lock that thread \(words.numbered(system: holder)) held"
  }

  /// `6.01 ms of it to deliver layout (Layout.swift:18)`.
  func text(_ step: LongestStep) -> String {
    let time = words.span(from: step.before.ticks, to: step.after.ticks)
    guard !step.after.isHop else {
      let place = place(of: step).map { " (\($0))" } ?? ""
      return "\(time) of it after #\(step.before.name)\(place)\(lock(step))"
    }
    let shown = step.placed ?? step.after
    guard shown.stream != 0 else { return "\(time) of it before #\(step.after.name)" }
    let place = words.place(of: shown.stream).map { " (\($0))" } ?? ""
    return "\(time) of it to deliver #\(step.after.name) \(words.stream(shown.stream))\(place)"
  }
}
