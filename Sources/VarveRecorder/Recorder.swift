internal import CVarveSystem
public import VarveFormat
internal import VarveProbe

/// The flight recorder: it writes what streams deliver into a compressed file that survives however
/// the program ends.
///
///     try Recorder.start(to: "run.varve")
///
/// Or, without a change to the program, through the environment: `VARVE_TRACE=run.varve`, with `%p`
/// for the process ID, and `VARVE_OPTIONS`, a comma-separated list of words, for what differs from
/// the defaults, which are those of `preset=debugging`:
///
/// | word | meaning |
/// |---|---|
/// | `policy=block` | a thread that finds no room waits; `drop` loses the event and counts it |
/// | `keep=64M`, `keep=30s`, `first=1M` | a flight recorder: keeps the end of the recording, and the beginning |
/// | `rotate=64M`, `rotate=10m`, `files=5` | continues in another file, and keeps so many; not with `keep` |
/// | `snapshot=USR2`, `failed:login*`, `absorbed:repeated` | what causes a snapshot, each as often as needed |
/// | `streams=named` | only streams that the program named; `all` for every stream |
/// | `include=login*`, `exclude=ticker*` | streams by name, each as often as needed |
/// | `sample=mouse*:100` | one value in so many of these streams, and how many were left out before it |
/// | `values=types`, `names`, `none` | only the types of values without a compact form; only the types of all values; nothing |
/// | `private=*password*`, `typed=user*` | nothing, or only the types, of these streams' values; streams derived from them, or that they are derived from, keep theirs unless their names match too |
/// | `arguments=no`, `host=no` | leaves out the program's arguments; the host's name |
/// | `preset=debugging` | records what a diagnosis needs: `absorption`, `stacks`, `senders`, `reads` |
/// | `preset=light` | none of these four, as `Options()` in code |
/// | `preset=production` | none of these four; only the types of values, no arguments, and no host; `preset=production,host` records the host after all, and likewise with `arguments` |
/// | `absorption=no` | not why values were absorbed |
/// | `stacks=no` | no stacks, and no senders |
/// | `senders=no` | not the stacks of the code that sends from outside the library |
/// | `reads=no` | not the reads of properties |
/// | `crashes=no` | no signal handler that marks crashes |
/// | `ring=1M` | bytes for each thread |
///
/// The program writes into memory mapped from a file beside the trace, `run.varve-live`, and a
/// thread of the recorder moves the events from there into the trace, compressed. So nothing that a
/// `send` has returned from is lost when the program dies, not even by `kill -9`. Stopping, or a
/// normal exit, completes the trace and removes that file; after a crash it is part of the trace,
/// and readers look for it beside the trace.
///
/// A program that replaces itself with another one, with the same environment, keeps what it has
/// recorded: the other program's trace is placed beside it, `run-exec-1.varve`.
///
/// The child of a fork records nothing unless it replaces itself with another program: its streams
/// continue to work, and `start` throws an error there.
///
/// There is one recording at a time.
public enum Recorder {
  /// Starts recording. While the process is recorded because it was asked for from outside, by
  /// `VARVE_TRACE` or `varve run`, that goes on: a line on standard error says so, and this recording is
  /// left out, up to its `stop`.
  ///
  /// - Parameters:
  ///   - path: The path of the trace; `%p` stands for the process ID. An existing trace is
  ///     replaced; any other file is left alone. With `%p`, the trace of another process with the
  ///     same ID, for instance in another container, is left alone, too: this one goes to
  ///     `run-1-other-1.varve`.
  ///   - options: What is recorded, and what happens when the file cannot keep up.
  /// - Throws: A `TraceFileError` if the file cannot be created, if another process is recording to
  ///   it, if this process is recording already or was forked from one with a recorder, or if the
  ///   options contradict each other.
  public static func start(to path: String, options: Options = Options()) throws(TraceFileError) {
    try start(to: path, options: options, isFromTheFirst: false)
  }

  /// Starts recording; `isFromTheFirst` says whether the process has made no task yet.
  static func start(
    to path: String, options: Options, isFromTheFirst: Bool
  ) throws(TraceFileError) {
    try Recording.current.withLock { recording throws(TraceFileError) in
      try recording.start(template: path, options: options, isFromTheFirst: isFromTheFirst)
    }
  }

  /// Stops recording: writes everything that was recorded and completes the trace. Does nothing
  /// while no recording is running. A later `start` begins another trace.
  public static func stop() {
    Recording.current.withLock { $0.stop() }
  }

  /// Waits until everything recorded before the call is in the trace.
  ///
  /// Recorded events survive the program's end without it, and readers find them; this is for
  /// programs that examine the file by other means.
  public static func flush() {
    Recording.current.withLock { $0.thread }?.flush()
  }

  /// Changes what is recorded from now on: `streams`, `selection`, `values`, `recordsAbsorption`,
  /// and `recordsStacks` of the options, which are passed with their present values. The others
  /// stay as they were at the start. Does nothing while no recording is running.
  ///
  ///     Recorder.configure { $0.selection.excluded = ["ticker*"] }
  ///
  /// When several threads call it at once, each change applies to the result of the one before;
  /// `change` may be called again for that.
  ///
  /// Streams apply the change with their next event; one that is no longer recorded then costs
  /// nothing.
  ///
  /// From outside the program, `varve control` does the same, and changes only what it names.
  public static func configure(_ change: (inout Options) -> Void) {
    while let seen = OpenGate.current.withLock({ $0.asked }) {
      var options = seen
      change(&options)
      let isDone = OpenGate.current.withLock { gate in
        // Another thread may have asked for more privacy meanwhile.
        guard gate.asked == seen else { return false }
        gate.turn(to: options)
        return true
      }
      if isDone { return }
    }
  }

  /// Writes what is kept of the recording so far into a complete trace of its own, and continues
  /// recording.
  ///
  /// With the policy `.keepLast`, this is the flight recorder's dump; otherwise it is a copy of the
  /// trace as it is now.
  ///
  /// - Parameter path: The path of the snapshot; `%p` stands for the process ID. An existing trace
  ///   is replaced; any other file is left alone.
  /// - Throws: A `TraceFileError` if no recording is running or the file cannot be written.
  /// - Complexity: O(*n*), where *n* is the size of what is kept.
  public static func snapshot(to path: String) throws(TraceFileError) {
    guard let thread = Recording.current.withLock({ $0.thread }) else {
      throw TraceFileError(.wrongUse, "nothing is recorded: there is nothing to take a snapshot of")
    }
    try thread.snapshot(to: TracePath.resolve(path))
  }

  /// Records a moment with a label, of which at most 1,024 bytes are kept.
  public static func mark(_ label: String) {
    let gate = vv_gate_load()
    guard gate != 0 else { return }
    var label = label
    label.withUTF8 { bytes in
      let kept = bytes.lengthOfText(atMost: 1024)
      _ = vv_emit_bytes(
        &vv_thread_current().pointee.writer, gate, RecordKind.mark.rawValue,
        PayloadKind.string.rawValue, 0, 0, 0, bytes.baseAddress, UInt32(kept),
        UInt32(clamping: bytes.count))
    }
  }

  /// Whether a recording is running.
  public static var isRecording: Bool { path != nil }

  /// The path of the trace being recorded; nil while no recording is running.
  public static var path: String? { Recording.current.withLock { $0.path } }

  /// The reason why the trace cannot be written at present, such as a full disk, or could not be
  /// completed when it was stopped; nil if there is none. What is recorded meanwhile waits in memory
  /// as far as there is room; the rest is counted as lost.
  public static var failure: TraceFileError? {
    Recording.current.withLock { $0.failure }
  }

  /// Sets the clock of a recording whose options specify `.byHand`. It never goes back.
  public static func turnClock(to nanoseconds: UInt64) {
    Recording.current.withLock {
      guard $0.isClockByHand else { return }
      vv_clock_turn(max(nanoseconds, vv_clock_ticks()))
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the number of bytes of a text to keep so that no character is split.
  fileprivate func lengthOfText(atMost most: Int) -> Int {
    guard count > most else { return count }
    var end = most
    while end > 0 && self[end] & 0xc0 == 0x80 { end -= 1 }
    return end
  }
}
