internal import CVarveSystem
public import VarveFormat
internal import VarveProbe

/// The flight recorder: what streams deliver goes into a compressed file that survives whatever ends
/// the program.
///
///     try Recorder.start(to: "run.varve")
///
/// Or, without a change to the program, by the environment: `VARVE_TRACE=run.varve`, with `%p` for
/// the process id, and `VARVE_OPTIONS`, words with commas between them, for what differs from the
/// defaults:
///
/// | word | what it says |
/// |---|---|
/// | `policy=block` | whoever finds no room waits; `drop` loses the event and counts it |
/// | `keep=64M`, `keep=30s`, `first=1M` | a flight recorder: the last of it, and the beginning |
/// | `rotate=64M`, `rotate=10m`, `files=5` | goes on in another file, keeps so many; not with `keep` |
/// | `snapshot=USR2`, `failed:login*`, `absorbed:repeated` | what has a snapshot made, each as often as needed |
/// | `streams=named` | streams that the program named; `all` of them |
/// | `include=login*`, `exclude=ticker*` | streams by name, each as often as needed |
/// | `sample=mouse*:100` | one value in so many of these streams, and how many were left out before it |
/// | `values=types`, `names`, `none` | of values of unknown types, or of all, their types; nothing |
/// | `private=*password*`, `typed=user*` | nothing, or the types, of these streams' values; others that they are made from, or that are made from them, keep theirs unless their names match too |
/// | `arguments=no`, `host=no` | not what the program was started with; not on which host |
/// | `preset=production` | of every value its type alone, no arguments and no host; `preset=production,host` records the host after all, and so with `arguments` |
/// | `absorption`, `stacks=no`, `crashes` | why values were swallowed; stacks; a signal handler |
/// | `ring=1M` | bytes for each thread |
///
/// The program writes into memory that is mapped from a file beside the trace, `run.varve-live`, and
/// a thread of the recorder's moves it from there into the trace, compressed. So nothing that a
/// `send` has returned from is lost when the program dies, by `kill -9` neither. Stopping, and a
/// normal exit, complete the trace and remove that file; after a crash it is a part of the trace
/// that readers look for beside it.
///
/// A program that runs another in its own place, with the same environment, keeps what it has
/// recorded: the other one's trace lies beside it, `run-exec-1.varve`.
///
/// The child of a fork records nothing, unless it runs another program in its own place: its streams go
/// on, and `start` throws an error there.
///
/// There is one recording at a time.
public enum Recorder {
  /// Starts recording.
  ///
  /// - Parameters:
  ///   - path: where the trace goes; `%p` stands for the process id. A trace that is there already
  ///     is replaced; anything else is left alone. With `%p`, the trace of another process that had
  ///     the id, in another container for instance, is left alone, too: this one goes to
  ///     `run-1-other-1.varve`.
  ///   - options: what is recorded, and what happens when the file cannot keep up.
  /// - Throws: a `TraceFileError` when the file cannot be made, when another process records to it,
  ///   when this process is recording already or was forked from one with a recorder, or when the options contradict each other.
  public static func start(to path: String, options: Options = Options()) throws(TraceFileError) {
    try Recording.current.withLock { recording throws(TraceFileError) in
      try recording.start(template: path, options: options)
    }
  }

  /// Stops recording: writes everything that was recorded and completes the trace. Does nothing
  /// while nothing is recorded. A later `start` begins another trace.
  public static func stop() {
    Recording.current.withLock { $0.stop() }
  }

  /// Returns when everything that was recorded before the call is in the trace.
  ///
  /// What is recorded is safe from the program's end without it, and readers find it; this is for
  /// programs that look at the file by other means.
  public static func flush() {
    Recording.current.withLock { $0.thread }?.flush()
  }

  /// Changes what is recorded, from now on: `streams`, `selection`, `values`, `recordsAbsorption` and
  /// `recordsStacks` of the options, which come as they are at present. The others stay as they were
  /// when recording began. Does nothing while nothing is recorded.
  ///
  ///     Recorder.configure { $0.selection.excluded = ["ticker*"] }
  ///
  /// When several threads do so at once, each changes what the one before it has asked for; `change`
  /// may be called anew for that.
  ///
  /// Streams take notice with their next event; one that is no longer recorded costs nothing then.
  ///
  /// From outside the program, `varve control` does the same, and changes nothing but what it names.
  public static func configure(_ change: (inout Options) -> Void) {
    while let seen = OpenGate.current.withLock({ $0.asked }) {
      var options = seen
      change(&options)
      let isDone = OpenGate.current.withLock { gate in
        // Somebody may have asked for more to be private meanwhile.
        guard gate.asked == seen else { return false }
        gate.turn(to: options)
        return true
      }
      if isDone { return }
    }
  }

  /// Writes what is kept of the recording so far into a complete trace of its own, and goes on
  /// recording.
  ///
  /// With the policy `.keepLast` this is the flight recorder's dump; otherwise it is a copy of the
  /// trace as it is now.
  ///
  /// - Parameter path: where the snapshot goes; `%p` stands for the process id. A trace that is
  ///   there already is replaced; anything else is left alone.
  /// - Throws: a `TraceFileError` when nothing is recorded or the file cannot be written.
  /// - Complexity: the size of what is kept.
  public static func snapshot(to path: String) throws(TraceFileError) {
    guard let thread = Recording.current.withLock({ $0.thread }) else {
      throw TraceFileError(.wrongUse, "nothing is recorded: there is nothing to take a snapshot of")
    }
    try thread.snapshot(to: TracePath.resolve(path))
  }

  /// Records a moment with a label, of at most a thousand bytes or so.
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

  /// Where the trace goes that is being recorded; nil while none is.
  public static var path: String? { Recording.current.withLock { $0.path } }

  /// Why the trace cannot be written at present, a full disk for instance, or could not be completed
  /// when it was stopped; nil when all is well. What is recorded meanwhile waits in memory as far as
  /// there is room, and is counted as lost from then on.
  public static var failure: TraceFileError? {
    Recording.current.withLock { $0.failure }
  }

  /// Turns the clock of a recording whose options say `.byHand`. It never goes back.
  public static func turnClock(to nanoseconds: UInt64) {
    Recording.current.withLock {
      guard $0.isClockByHand else { return }
      vv_clock_turn(max(nanoseconds, vv_clock_ticks()))
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// How many bytes of a text to keep so that no character is cut in two.
  fileprivate func lengthOfText(atMost most: Int) -> Int {
    guard count > most else { return count }
    var end = most
    while end > 0 && self[end] & 0xc0 == 0x80 { end -= 1 }
    return end
  }
}
