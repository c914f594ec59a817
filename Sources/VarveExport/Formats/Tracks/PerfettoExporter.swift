public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes Perfetto's own format: a sequence of protobuf packets with track events.
///
/// The threads are tracks, with the system's numbers, and so are the named streams, each below the
/// one that feeds it. See `TrackExport` for what is drawn on them.
public struct PerfettoExporter: TraceExporter {
  private let output: ByteOutput
  private let losses: [TraceLoss]
  private var export: TrackExport
  private var form: PerfettoForm

  /// Prepares to export a recording that began at `started`, in nanoseconds since 1970.
  public init(
    _ words: TraceWords, causes: CauseMarks, losses: [TraceLoss] = [], pid: UInt32, program: String,
    started: UInt64, output: ByteOutput
  ) {
    self.output = output
    self.losses = losses
    let processes = TrackProcesses(
      RecordedProcesses(program: program, pid: pid, words.definitions), causes.owners)
    export = TrackExport(words, processes, causes)
    form = PerfettoForm(words, export.tracks, processes, started: started, output: output)
  }

  /// What could not be remembered until its end, and arrows that are missing.
  public var passedOver: PassedOver { export.passedOver }

  /// Defines the clock, the process and its threads, and writes what was lost.
  public mutating func begin() {
    form.begin()
    export.write(losses, to: &form)
  }

  /// Writes slices, instants, arrows and counters.
  public mutating func write(_ page: EventPage) { export.write(page, to: &form) }

  /// Does nothing: packets follow each other to the end of the file.
  public mutating func end() {}
}
