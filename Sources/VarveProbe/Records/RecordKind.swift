/// What a record tells.
///
/// The numbers are part of the file format (`Docs/Format.md`): they are never reused.
public enum RecordKind: UInt8, Sendable, CaseIterable {
  /// A stream was made.
  case assembled = 1
  /// A subscription was attached to the record's stream: payload `.stream`, the stream that it feeds, or 0
  /// when it feeds an observer outside all streams.
  case subscribed = 2
  /// That subscription has gone: payload `.reason`, an `EndReason`.
  case ended = 3
  /// The stream delivered a value: the payload is the value.
  case value = 4
  /// The stream failed: the payload is the error.
  case failed = 5
  /// The stream completed.
  case completed = 6
  /// The stream was interrupted.
  case interrupted = 7
  /// A stage swallowed the value that is the record's last cause: payload `.reason`, an
  /// `AbsorptionReason`. The cause before that, if there is one, is what happened when it did.
  case absorbed = 8
  /// Work was given to a scheduler: `stream` is the scheduler's id, `subscription` the hop's id;
  /// payload `.cause` when stacks are recorded.
  case hopScheduled = 9
  /// The work began; its cause is the `hopScheduled` record, usually of another thread.
  case hopBegan = 10
  /// The work returned.
  case hopEnded = 11
  /// The work was disposed of before it began.
  case hopCancelled = 12
  /// A line of text that the program wrote into the trace: payload `.string`.
  case log = 13
  /// A moment that the program marked: payload `.string`, its label.
  case mark = 14
  /// Values of the stream were left out, because one in so many is recorded: payload `.unsigned`, how
  /// many since the last one.
  case skipped = 15
}

/// Why a subscription has gone.
public enum EndReason: UInt8, Sendable, CaseIterable {
  /// The stream completed.
  case completed = 1
  /// The stream failed.
  case failed = 2
  /// The stream was interrupted.
  case interrupted = 3
  /// Somebody disposed of the observation; the record's cause tells during which delivery.
  case disposed = 4
  /// Nobody could reach or observe the stream any more.
  case released = 5
}

/// Why a stage swallowed a value.
public enum AbsorptionReason: UInt8, Sendable, CaseIterable {
  /// A predicate or a transformation refused it (`filter`, `compactMap`).
  case filtered = 1
  /// It equals one seen before (`skipRepeats`, `uniqueValues`).
  case repeated = 2
  /// A newer value took its place before it was due (`debounce`, `throttle`, `.latest`,
  /// `combineLatest` while an input has delivered nothing).
  case superseded = 3
  /// No sampler ticked while it was the latest, or there was nothing to sample when it came
  /// (`sample`, `withLatest`).
  case notSampled = 4
  /// It lies before or past a limit (`skip`, `take`).
  case pastLimit = 5
  /// Nobody was attached.
  case nobodyAttached = 6
  /// It went into a value that comes later and has no room to name it (`collect`, `reduce`).
  case gathered = 7
  /// The stream ended before the value was due (`delay`, `debounce`, `throttle`, `observe(on:)`,
  /// `zip`).
  case ended = 8
  /// It was for the operator itself: a trigger or a condition (`skip(until:)`, `throttle(while:)`).
  case control = 9
}

/// How a record's payload is written.
///
/// The numbers are part of the file format: they are never reused.
public enum PayloadKind: UInt8, Sendable, CaseIterable {
  /// There is no payload: the record has no value.
  case absent = 0
  /// The value is `()`.
  case unit = 1
  /// The value is `nil`.
  case null = 2
  /// A signed integer of 64 bits.
  case integer = 3
  /// An unsigned integer of 64 bits.
  case unsigned = 4
  /// A floating-point number of 64 bits.
  case real = 5
  /// A boolean, in a word of 64 bits.
  case boolean = 6
  /// Text: a word with the length that it had (lower half) and the length kept, then UTF-8.
  case string = 7
  /// Bytes, laid out as text is.
  case bytes = 8
  /// The value's own description, laid out as text is.
  case description = 9
  /// Only the value's type is recorded: its name, laid out as text is.
  case typeOnly = 10
  /// The value is private, and nothing of it is recorded.
  case withheld = 11
  /// A stream's id, in a word.
  case stream = 12
  /// An `EndReason` or an `AbsorptionReason`, in a word.
  case reason = 13
  /// A `HopPayload`, in a word: the stack of the code that scheduled work, and the hop that it ran in.
  case cause = 14
}
