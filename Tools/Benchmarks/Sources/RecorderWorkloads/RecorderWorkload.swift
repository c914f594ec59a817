import CVarveSystem
import Measurement
import Varve
import VarveFormat
import VarveProbe

/// Workload W: one thread emits as fast as it can, 20 streams in turn, a counter as the payload.
/// The recorder blocks where it would have to drop, so that nothing is missing in the figures.
public struct RecorderWorkload {
  /// What one round measured.
  public struct Round {
    /// CPU of the emitting thread, for an event.
    public var senderNanoseconds: Double
    /// CPU of every other thread, the drain's, for an event.
    public var drainNanoseconds: Double
  }

  /// Events in a round.
  public static let events = 10_000_000

  private static let streams = 20
  private static let firstStream: UInt32 = 900_000

  /// Through the recorder's own lowest entry, which is what compares with other recorders.
  public static func emitted(into path: String) throws -> Round {
    try record(into: path) {
      for stream in 0..<UInt32(streams) { define(stream) }
      let gate = vv_gate_load()
      let writer = withUnsafeMutablePointer(to: &vv_thread_current().pointee.writer) { $0 }
      var stream: UInt32 = 0
      return timed {
        for payload in 0..<UInt64(events) {
          _ = vv_emit_word(
            writer, gate, RecordKind.value.rawValue, PayloadKind.integer.rawValue,
            firstStream + stream, 0, 0, payload)
          stream = stream == UInt32(streams) - 1 ? 0 : stream + 1
        }
      }
    }
  }

  /// Through named pipes with an observer each, recorded.
  public static func piped(into path: String) throws -> Round {
    let send = pipes()
    return try record(into: path) { timed(send) }
  }

  /// Into named pipes with an observer each, recorded with the options for finding a mistake, which
  /// add the stack of whoever sends, or without that.
  public static func sent(into path: String, isDebugging: Bool) throws -> Round {
    let send = pipes(isNamed: true)
    return try record(into: path, isDebugging ? .debugging : Recorder.Options()) { timed(send) }
  }

  /// A property that is set and then read, time and again, recorded with the options for finding a
  /// mistake, with the reads or without them: CPU of the thread, for a change and a read.
  public static func read(into path: String, isRecorded: Bool) throws -> Double {
    let property = MutableProperty(0, named: "w.read")
    var options = Recorder.Options.debugging
    options.recordsReads = isRecorded
    let round = try record(into: path, options) {
      timed {
        for value in 0..<events {
          property.value = value
          guard property.value == value else { fatalError("a property keeps its value") }
        }
      }
    }
    return round.senderNanoseconds
  }

  /// The same without a recording: CPU of the sender, for an event.
  public static func unrecorded() -> Double {
    Double(timed(pipes())) / Double(events)
  }

  /// CPU nanoseconds of reading the clock, which every record has to: the floor of it all.
  public static func clock() -> Double {
    var last: UInt64 = 0
    let took = timed { for _ in 0..<events { last &+= vv_clock_ticks() } }
    return last == 0 ? 0 : Double(took) / Double(events)
  }

  private static func pipes(isNamed: Bool = false) -> () -> Void {
    let tally = Tally()
    let inputs = (0..<streams).map { number in
      let (output, input) = Signal<Int, Never>.pipe(named: isNamed ? "w.\(number)" : nil)
      (isNamed ? output : output.named("w.\(number)")).observeValues { tally.add($0) }
      return input
    }
    return {
      var stream = 0
      for value in 0..<events {
        inputs[stream].send(value: value)
        stream = stream == streams - 1 ? 0 : stream + 1
      }
    }
  }

  private static func define(_ stream: UInt32) {
    Probe.receiver?.define(
      StreamDefinition(
        id: firstStream + stream, name: "w.\(stream)", derivation: "pipe", operation: "pipe",
        parents: [], place: nil, valueType: "Int", born: 0))
  }

  private static func timed(_ body: () -> Void) -> UInt64 {
    let began = CPUClock.thread.now
    body()
    return CPUClock.thread.now - began
  }

  /// Records while `body` runs, which returns its own CPU time.
  private static func record(
    into path: String, _ options: Recorder.Options = Recorder.Options(), _ body: () -> UInt64
  ) throws -> Round {
    var options = options
    options.policy = .block
    // One record for each event: of the stream that has a name, not of the pipe before it too.
    options.streams = .named
    let process = CPUClock.process.now
    let thread = CPUClock.thread.now
    try Recorder.start(to: path, options: options)
    let sender = body()
    Recorder.stop()
    let all = CPUClock.process.now - process
    let own = CPUClock.thread.now - thread
    return Round(
      senderNanoseconds: Double(sender) / Double(events),
      drainNanoseconds: Double(all - own) / Double(events))
  }
}
