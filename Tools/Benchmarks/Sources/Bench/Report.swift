import Foundation

/// What a run measured: the shape of `--json FILE`. Keys are added, never renamed.
struct Report: Encodable {
  /// The reactive workloads by letter.
  var reactive: [String: Reactive] = [:]
  /// The recorder's workloads by letter.
  var recorder: [String: Recorder] = [:]
  /// What a record costs the thread that leaves it.
  var entry: [String: Entry] = [:]
  /// What events of several kinds need in the file.
  var encoding: [String: Encoding] = [:]
  /// How fast traces are read, by what is asked for.
  var reader = Readings()
  /// Asynchronous backtraces.
  var hops: Hops?
  /// What becomes of an event's cost when there is more of everything else.
  var growth: Growth?
  /// What the compiler needs for a chain of operators in one expression.
  var compile: Compile?
  /// What a client's program costs, by the product that it imports.
  var client: [String: Client] = [:]
  /// What the command takes, by its words and by the trace.
  var command: [String: [String: Command]] = [:]
  /// What the viewer's server takes, by the trace.
  var viewer: [String: [String: Double]] = [:]
  /// What tasks cost, by the operation.
  var tasks: [String: TaskCost] = [:]
  /// The recorder beside another one.
  var peers: [String: Peers] = [:]

  /// A workload against the peers that ran in the same rounds: CPU nanoseconds per delivery.
  struct Reactive: Encodable {
    var varveNs: Double
    /// Nil where the peer cannot do it.
    var opencombineNs: Double?
    var asyncStreamNs: Double?
    /// Instructions per delivery, where they were counted.
    var instructions: Double?
    /// How many times as long OpenCombine took.
    var ratio: Double? { opencombineNs.map { $0 / varveNs } }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(varveNs, forKey: .varveNs)
      try container.encodeIfPresent(opencombineNs, forKey: .opencombineNs)
      try container.encodeIfPresent(ratio, forKey: .ratio)
      try container.encodeIfPresent(asyncStreamNs, forKey: .asyncStreamNs)
      try container.encodeIfPresent(instructions, forKey: .instructions)
    }

    enum CodingKeys: CodingKey { case varveNs, opencombineNs, ratio, asyncStreamNs, instructions }
  }

  /// A workload's cost for an event.
  struct Recorder: Encodable {
    /// What it takes to read the clock, which is part of `cpuNs`.
    var clockNs: Double
    /// What an event of a pipe takes that nobody records.
    var unrecordedNs: Double
    var cpuNs: Double
    var incrementNs: Double
    /// What the stack of the code that sends adds, which the options for finding a mistake record.
    var senderNs: Double
    /// What recording the read of a property adds.
    var readNs: Double
    var bytesPerEvent: Double
    var entropyPerEvent: Double
    var drainNs: Double
    var dropped: UInt64
  }

  /// CPU nanoseconds of a record, through the lowest entry.
  struct Entry: Encodable {
    var burstNs: Double
    var sustainedNs: Double
    var drainNs: Double
  }

  /// What an event of some kind needs.
  struct Encoding: Encodable {
    var bytesPerEvent: Double
    var entropyPerEvent: Double
    /// Bytes for each of entropy; nil for a text, of which nobody knows how much it tells.
    var ratio: Double?
    var writerNs: Double
  }

  /// What a program of ten lines costs.
  struct Client: Encodable {
    /// CPU seconds of a clean build in release mode, after everything was fetched.
    var buildSeconds: Double
    /// The program's size without symbols; the language's own libraries lie beside it.
    var strippedBytes: Int
    /// CPU milliseconds of a run.
    var startUpMs: Double
  }

  /// What a run of the command takes.
  struct Command: Encodable {
    var userSeconds: Double
    var wallSeconds: Double
    var peakBytes: Int

    var megabytes: Double { Double(peakBytes) / 1_000_000 }
  }

  /// An operation of tasks: CPU nanoseconds, alone and more when it is recorded.
  struct TaskCost: Encodable {
    var bareNs: Double
    var moreNs: Double
    var moreWithStacksNs: Double
    var records: Double
    /// How many of the records read the clock: those of one moment share it.
    var clockReads: Double
    /// Instructions more, with stacks, where they were counted.
    var instructions: Double?
  }

  /// A recorder beside LTTng and its reader.
  struct Peers: Encodable {
    var cpuNs: Double
    var lttngNs: Double
    var bytesPerEvent: Double
    var lttngBytesPerEvent: Double
    var millionsRead: Double
    var babeltraceMillionsRead: Double
  }

  /// How fast a trace is read.
  struct Reader: Encodable {
    var cpuNs: Double
    var millionsPerSecond: Double
    var inflatedBlocks: Int
  }

  /// CPU nanoseconds by sizes: how many observers, stages or other streams there are.
  struct Growth: Encodable {
    var sizes: [Int]
    var deliveryByObserversNs: [Double]
    var stageByStagesNs: [Double]
    var rejectionByStagesNs: [Double]
    var eventByOtherStreamsNs: [Double]
  }

  /// CPU seconds to check the types of a file: with a chain in it, and with its import alone.
  struct Compile: Encodable {
    var varveSeconds: Double
    var varveImportSeconds: Double
    var opencombineSeconds: Double
    var opencombineImportSeconds: Double
    /// How many times as long the file of OpenCombine's chain takes.
    var ratio: Double { opencombineSeconds / varveSeconds }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(varveSeconds, forKey: .varveSeconds)
      try container.encode(varveImportSeconds, forKey: .varveImportSeconds)
      try container.encode(opencombineSeconds, forKey: .opencombineSeconds)
      try container.encode(opencombineImportSeconds, forKey: .opencombineImportSeconds)
      try container.encode(ratio, forKey: .ratio)
    }

    enum CodingKeys: CodingKey {
      case varveSeconds, varveImportSeconds, opencombineSeconds, opencombineImportSeconds, ratio
    }
  }

  /// Hops with and without the stacks that scheduled them.
  struct Hops: Encodable {
    var hopNs: Double
    var capturedHopNs: Double
    var walk16Ns: Double
    var intern16Ns: Double
    var intern32Ns: Double
    /// What a hop that waits takes, and what its stack and way back add to that.
    var wholeBytesPending: Double
    var bytesPending: Double
    /// The same of hops that work schedules which was itself scheduled.
    var bytesPendingInWork: Double
    /// Of a task's stack with eight functions that await each other.
    var await8Ns: Double
    /// A loop of hops: how many, what memory it left behind, and what its backtrace shows.
    var loopHops: Int
    var loopNodeBytes: Int
    var loopResidentBytes: Int
    var loopSegments: Int
    var loopIsCut: Bool
    /// What the stack adds to a hop.
    var incrementNs: Double
  }

  /// The readings by name, and the two that say most in events a second: all, and one name of many.
  struct Readings: Encodable {
    var rows: [String: Reader] = [:]
    /// CPU milliseconds to open the trace.
    var openingMs: Double?

    func encode(to encoder: any Encoder) throws {
      try rows.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(perSecond("all"), forKey: .allPerSecond)
      try container.encodeIfPresent(perSecond("name"), forKey: .filteredPerSecond)
      try container.encodeIfPresent(openingMs, forKey: .openingMs)
    }

    private func perSecond(_ name: String) -> Double? {
      rows[name].map { ($0.millionsPerSecond * 1_000_000).rounded() }
    }

    enum CodingKeys: CodingKey { case allPerSecond, filteredPerSecond, openingMs }
  }

  /// Writes it as JSON.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    try encoder.encode(self).write(to: URL(fileURLWithPath: path))
  }
}
