internal import VarveAnalysis
internal import VarveFormat
internal import VarveProbe

/// A stretch in the life of a piece of work: that it was given and waited to begin, that it ran, or that
/// its task waited after it.
struct ViewerSpell: Sendable {
  enum Kind: Sendable, Hashable { case given, runs, waits }

  var kind: Kind
  /// The ID of the work; 0 of what a task waits for.
  var hop: UInt64
  /// The event with which it began, when that was, counted from the first tick of the trace, and on
  /// which thread.
  var name: EventName
  var tick: UInt64
  /// The lane of the scheduler, or of the task that waits.
  var lane: Int
  /// The lane of the task that ran on the thread that scheduled the work.
  var by: Int?
  /// The lane of the thread that runs it, and that of the task whose run it is.
  var thread: Int?
  var task: Int?
  /// The thread's name, or what a task waits for; empty of one that has not run yet.
  var label = ""
  /// When it was over; nil if that is not known.
  var end: UInt64?
  /// How it was over, where that is worth saying.
  var ending: String?
  /// The number of moments for which what goes on is kept that came before it, and before its end.
  var first = 0
  var last = Int.max

  /// Whether it goes on beyond one of those moments, if only each one of so many is kept.
  func spans(_ stride: Int) -> Bool { last == .max || last / stride > first / stride }

  /// Whether it began before a moment, given by its number from 1, and was not over.
  func goesOn(at moment: Int) -> Bool { first < moment && last >= moment }
}

/// Where work was that ran for long: a sample that the recorder took of it.
struct ViewerSample: Sendable {
  var name: EventName
  var tick: UInt64
  var stack: UInt32
  /// Whether its thread waited in a system call.
  var waits: Bool

  init(_ event: WorkEvent, tick: UInt64) {
    let payload = HopPayload(word: event.word)
    (name, self.tick) = (event.name, tick)
    (stack, waits) = (payload.stack, payload.parent != 0)
  }

  var json: String { "[\(tick),\"\(name)\",\(stack),\(waits)]" }
}
