/// The kind of event that a record describes.
///
/// The numbers are part of the file format (`Docs/Format.md`) and are never reused.
public enum RecordKind: UInt8, Sendable, CaseIterable {
  /// A stream was made.
  case assembled = 1
  /// A subscription was attached to the record's stream: payload `.stream`, the stream that it
  /// feeds, or 0 if it feeds an observer outside all streams.
  case subscribed = 2
  /// That subscription has ended: payload `.reason`, an `EndReason`, with the stack of the code
  /// that ended it from outside.
  case ended = 3
  /// The stream delivered a value: the payload is the value.
  case value = 4
  /// The stream failed: the payload is the error.
  case failed = 5
  /// The stream completed.
  case completed = 6
  /// The stream was interrupted.
  case interrupted = 7
  /// A stage absorbed the value that is the record's last cause: payload `.reason`, an
  /// `AbsorptionReason`. The cause before that, if there is one, is the event that led to it.
  case absorbed = 8
  /// Work was handed to a scheduler: `stream` is the scheduler's ID, `subscription` the hop's ID;
  /// payload `.cause` if stacks are recorded.
  case hopScheduled = 9
  /// The work began; its cause is the `hopScheduled` record, usually from another thread. If it is
  /// a run of a task: payload `.task`.
  case hopBegan = 10
  /// The work returned. If it was a run of a task: payload `.awaited`.
  case hopEnded = 11
  /// The work was disposed of before it began.
  case hopCancelled = 12
  /// A line of text that the program wrote into the trace: payload `.string`.
  case log = 13
  /// A moment that the program marked: payload `.string`, the label.
  case mark = 14
  /// Values of the stream were left out because it is sampled: payload `.unsigned`, their number
  /// since the last value recorded.
  case skipped = 15
  /// The event that is the record's cause, of the same stream, was sent by the program's own code:
  /// payload `.cause`, with the stack of that code. It is the record after that event.
  case sent = 16
  /// The thread began to wait: payload `.reason`, a `WaitReason`, with the stack of the code that
  /// waits.
  case waitBegan = 17
  /// The wait that is the record's cause has ended: payload `.reason`.
  case waitEnded = 18
  /// The program's own code read the value of a property: payload `.cause`, with the stack of that
  /// code. Or it took the signal of the changes: payload `.stream`, with the property's own stream.
  case read = 19
  /// A task of Swift concurrency was created: `subscription` is the task's number; payload `.made`.
  case taskCreated = 20
  /// The task was cancelled: payload `.cause`, with the stack of the code that cancelled it.
  case taskCancelled = 21
  /// The task ended by an error, which it threw: payload `.typeOnly`, the name of the error's type. The
  /// record's cause is the end of the task's last run.
  case taskFailed = 22
  /// Code asked for the result of the task, which had failed before: payload `.cause`, with the stack of
  /// that code.
  case taskFailureRead = 23
  /// The work whose id is the record's subscription was still running, long after it began, and this is
  /// where: payload `.cause`. The record is not of the thread that runs.
  case hopSampled = 24
  /// Code threw an error: payload `.typeOnly`, the name of the error's type; `subscription` is the number
  /// of the task that the code ran in, 0 outside tasks. A `sent` record with the stack of that code
  /// follows.
  case errorThrown = 25
}

/// The reason why a subscription ended.
public enum EndReason: UInt8, Sendable, CaseIterable {
  /// The stream completed.
  case completed = 1
  /// The stream failed.
  case failed = 2
  /// The stream was interrupted.
  case interrupted = 3
  /// The observation was disposed of; the record's cause shows during which delivery.
  case disposed = 4
  /// The stream could no longer be reached or observed.
  case released = 5
}

/// The reason why a stage absorbed a value.
public enum AbsorptionReason: UInt8, Sendable, CaseIterable {
  /// A predicate or a transformation rejected it (`filter`, `compactMap`).
  case filtered = 1
  /// It equals an earlier value (`skipRepeats`, `uniqueValues`).
  case repeated = 2
  /// A newer value replaced it before it was due (`debounce`, `throttle`, `.latest`,
  /// `combineLatest` while an input has delivered nothing).
  case superseded = 3
  /// No sampler ticked while it was the latest, or there was nothing to sample when it came
  /// (`sample`, `withLatest`).
  case notSampled = 4
  /// It lies before or beyond a limit (`skip`, `take`).
  case pastLimit = 5
  /// There was no observer.
  case nobodyAttached = 6
  /// It became part of a later value that has no room to list it as a cause (`collect`, `reduce`).
  case gathered = 7
  /// The stream ended before the value was due (`delay`, `debounce`, `throttle`, `observe(on:)`,
  /// `zip`).
  case ended = 8
  /// It was an input of the operator itself: a trigger or a condition (`skip(until:)`,
  /// `throttle(while:)`).
  case control = 9
}

/// The reason why a thread waits.
public enum WaitReason: UInt8, Sendable, CaseIterable {
  /// For values or the end of a producer that it has started (`waitForFirst()`).
  case outcome = 1
  /// For another thread that is delivering in the same place: events of a stream are serial.
  case delivery = 2
  /// For another thread that is changing the property in place (`modify`).
  case change = 3
}

/// The encoding of a record's payload.
///
/// The numbers are part of the file format and are never reused.
public enum PayloadKind: UInt8, Sendable, CaseIterable {
  /// There is no payload: the record has no value.
  case absent = 0
  /// The value is `()`.
  case unit = 1
  /// The value is `nil`.
  case null = 2
  /// A signed 64-bit integer.
  case integer = 3
  /// An unsigned 64-bit integer.
  case unsigned = 4
  /// A 64-bit floating-point number.
  case real = 5
  /// A Boolean, in a 64-bit word.
  case boolean = 6
  /// Text: a word with the original length (lower half) and the length kept, then UTF-8.
  case string = 7
  /// Bytes, laid out like text.
  case bytes = 8
  /// The value's own description, laid out like text.
  case description = 9
  /// The name of the value's type, laid out like text; the value itself is not recorded.
  case typeOnly = 10
  /// The value is private; nothing of it is recorded.
  case withheld = 11
  /// A stream's ID, in a word.
  case stream = 12
  /// A `ReasonPayload`, in a word: an `EndReason`, an `AbsorptionReason` or a `WaitReason`, and the
  /// stack of the code responsible.
  case reason = 13
  /// A `HopPayload`, in a word: the stack of the code that scheduled the work, sent the event or
  /// read the value, and the hop during which this happened.
  case cause = 14
  /// A `TaskRunPayload`, in a word: the task that runs.
  case task = 15
  /// A `TaskAwaitPayload`, in a word: what a task awaits after it has run.
  case awaited = 16
  /// A `TaskCreationPayload`, in a word: where a task was created, and by which one.
  case made = 17
}
