internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// The words for the run of a task on the way to an event: who let it run, and what it had awaited.
struct TaskRunText {
  private let words: TraceWords

  init(_ words: TraceWords) { self.words = words }

  /// Returns what happened to the task, without its name: `ran 12 µs after #1.3 on main resumed it in
  /// answer(_:), and had waited 5 ms for a continuation at Shop.swift:12`.
  func text(_ step: CausalPath.Step, _ scheduled: TraceEvent, in function: String?) -> String {
    let delay = words.span(from: scheduled.ticks, to: step.event.ticks)
    let awaited = step.suspension?.awaited
    let moved = awaited?.awaited == TaskAwait.executor.rawValue
    let deed = awaited == nil ? "made it" : moved ? "gave it to its executor" : "resumed it"
    var text = "ran \(delay) after #\(scheduled.name) on \(words.thread(scheduled.ring)) \(deed)"
    if let function { text += " in \(function)" }
    guard let suspension = step.suspension, let awaited, !moved else { return text }
    let wait = words.span(from: suspension.ticks, to: scheduled.ticks)
    let place = words.place(.stack(awaited.stack)).map { " at \($0)" } ?? ""
    let verb = words.wait(awaited) == .sleep ? "slept" : "waited"
    return text + ", and had \(verb) \(wait)\(target(awaited))\(place)"
  }

  /// ` for a continuation`, ` for task 3 "waiter"`.
  private func target(_ awaited: TaskAwaitPayload) -> String {
    switch TaskAwait(rawValue: awaited.awaited) {
    case .task: awaited.number == 0 ? " for a task" : " for \(words.task(awaited.number))"
    case .continuation:
      switch words.wait(awaited) {
      case .sleep: ""
      case .yield: " for others, to which it had yielded"
      case .element: " for an element of a stream"
      case nil where awaited.stack == 0: " for a continuation or in a sleep"
      case .continuation, nil: " for a continuation"
      }
    case .group: " for its group"
    case .executor, .nothing, .unknown, nil: ""
    }
  }
}
