public import VarveAnalysis
public import VarveFormat
internal import VarveProbe

/// Writes Chrome's JSON trace format, which Perfetto's viewer and `about:tracing` open.
///
/// The threads are tracks of their process, with the system's numbers. Named streams are tracks of a
/// second process each, because this format has no tracks but threads. See `TrackExport` for what is drawn
/// on them.
public struct ChromeTraceExporter: TraceExporter {
  private let output: ByteOutput
  private let losses: [TraceLoss]
  private var export: TrackExport
  private var form: ChromeForm

  /// Prepares to export.
  public init(
    _ words: TraceWords, causes: CauseMarks, losses: [TraceLoss] = [], pid: UInt32, program: String,
    output: ByteOutput
  ) {
    self.output = output
    self.losses = losses
    let processes = TrackProcesses(
      RecordedProcesses(program: program, pid: pid, words.definitions), causes.owners)
    export = TrackExport(words, processes, causes)
    form = ChromeForm(words, export.tracks, processes, output: output)
  }

  /// What could not be remembered until its end, and arrows that are missing.
  public var passedOver: PassedOver { export.passedOver }

  /// Names the process and its threads, and writes what was lost.
  public mutating func begin() {
    output.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")
    form.begin()
    export.write(losses, to: &form)
  }

  /// Writes slices, instants, arrows and counters.
  public mutating func write(_ page: EventPage) { export.write(page, to: &form) }

  /// Closes the array.
  public mutating func end() { output.write("\n]}\n") }
}
