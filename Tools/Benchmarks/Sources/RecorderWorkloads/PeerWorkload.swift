import CVarveSystem
import Measurement
import Varve
import VarveProbe

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The workloads that other recorders are measured by, through Varve's lowest entry.
public enum PeerWorkload: String, CaseIterable, Sendable {
  /// Workload W: integers of 20 streams in turn.
  case w
  /// The same with texts of 20 bytes.
  case text
  /// Workload W on two threads at once.
  case threads

  private static let streams: UInt32 = 20
  private static let firstStream: UInt32 = 900_000

  /// How many threads emit.
  public var threads: Int { self == .threads ? 2 : 1 }

  /// What it is, for tables.
  public var title: String {
    switch self {
    case .w: "W: an integer, one thread"
    case .text: "a text of 20 bytes, one thread"
    case .threads: "W on two threads at once"
    }
  }

  /// How the events come.
  public enum Pace: Sendable {
    /// As fast as they can: the emitting thread waits whenever the drain thread is behind.
    case sustained
    /// So many at a time, which the ring has room for; the drain thread takes them in the pauses.
    case bursts(of: Int)
  }

  /// Records `events` of each thread into `path`.
  public func record(
    into path: String, events: Int, pace: Pace = .sustained
  ) throws -> RecorderWorkload.Round {
    let began = CPUClock.process.now
    let sender = try emit(into: path, events: events, pace: pace)
    let all = Double(CPUClock.process.now - began) / Double(events * threads)
    return RecorderWorkload.Round(senderNanoseconds: sender, drainNanoseconds: all - sender)
  }

  /// The emitting threads' CPU nanoseconds for an event.
  private func emit(into path: String, events: Int, pace: Pace) throws -> Double {
    var options = Recorder.Options()
    options.policy = .block
    try Recorder.start(to: path, options: options)
    defer { Recorder.stop() }
    for stream in 0..<Self.streams {
      Probe.receiver?.define(
        StreamDefinition(
          id: Self.firstStream + stream, name: "w.\(stream)", derivation: "pipe",
          operation: "pipe", parents: [], place: nil, valueType: "Int", born: 0))
    }
    let costs = Costs(count: threads)
    let isText = self == .text
    var handles: [pthread_t] = []
    for index in 0..<threads {
      handles.append(
        Self.start {
          costs.values[index] = Self.emit(events: events, isText: isText, pace: pace)
        })
    }
    for handle in handles { pthread_join(handle, nil) }
    return costs.values.reduce(0, +) / Double(threads)
  }

  /// One place for each thread's result.
  private final class Costs: @unchecked Sendable {
    // Safety: each thread writes a place of its own, and all are joined before they are read.
    var values: UnsafeMutableBufferPointer<Double>
    init(count: Int) {
      values = .allocate(capacity: count)
      values.initialize(repeating: 0)
    }
    deinit { values.deallocate() }
  }

  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    var handle = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    pthread_create(
      &handle, nil,
      { work in
        Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    return handle
  }

  private static func emit(events: Int, isText: Bool, pace: Pace) -> Double {
    let gate = vv_gate_load()
    let writer = withUnsafeMutablePointer(to: &vv_thread_current().pointee.writer) { $0 }
    // The first event of a thread sets its ring up.
    _ = vv_emit_word(
      writer, gate, RecordKind.value.rawValue, PayloadKind.integer.rawValue, firstStream, 0, 0, 0)
    let kind = RecordKind.value.rawValue
    var text = Array("item number 00000000".utf8)
    var stream: UInt32 = 0
    var took: UInt64 = 0
    for burst in pace.parts(of: events) {
      let began = CPUClock.thread.now
      for event in burst {
        if isText {
          count(&text)
          _ = vv_emit_bytes(
            writer, gate, kind, PayloadKind.string.rawValue, firstStream + stream, 0, 0, text, 20,
            20)
        } else {
          _ = vv_emit_word(
            writer, gate, kind, PayloadKind.integer.rawValue, firstStream + stream, 0, 0, event)
        }
        stream = stream == streams - 1 ? 0 : stream + 1
      }
      took += CPUClock.thread.now - began
      if case .bursts = pace { usleep(2_000) }
    }
    return Double(took) / Double(events)
  }

  /// The last digits count up.
  @inline(__always)
  private static func count(_ text: inout [UInt8]) {
    for place in (12..<20).reversed() {
      text[place] += 1
      if text[place] <= 0x39 { return }
      text[place] = 0x30
    }
  }
}

extension PeerWorkload.Pace {
  /// The numbers of the events that are emitted without a pause.
  fileprivate func parts(of events: Int) -> [Range<UInt64>] {
    switch self {
    case .sustained: [0..<UInt64(events)]
    case .bursts(let most):
      stride(from: 0, to: events, by: most).map { UInt64($0)..<UInt64(min($0 + most, events)) }
    }
  }
}
