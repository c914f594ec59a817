internal import CVarveSystem

/// The file beside a trace that holds what the trace does not hold yet, and what a program that
/// watches the recorded one may leave there.
public enum Sidecar {
  /// Where the sidecar of a trace lies.
  public static func path(ofTraceAt path: String) -> String { SidecarFile.path(ofTraceAt: path) }

  /// Leaves word of how the recorded process ended, for readers of its trace.
  ///
  /// - Parameters:
  ///   - status: what `waitpid` gave.
  ///   - process: the process that it is about.
  ///   - path: the trace's path.
  /// - Returns: whether there was a sidecar of that process: none is left after a clean close.
  /// - Throws: a `TraceFileError` when the sidecar cannot be opened or written.
  @discardableResult
  public static func store(waitStatus status: Int32, of process: UInt32, forTraceAt path: String)
    throws(TraceFileError) -> Bool
  {
    guard let file = try SidecarFile(ofTraceAt: path, writable: true),
      let header = file.load(vv_sidecar.self, at: 0), header.isSound,
      header.process_id == UInt64(process), !isAnothers(header, file)
    else { return false }
    // The status before the mark that it is there: a reader may come between the two.
    let statusOffset = UInt64(MemoryLayout<vv_sidecar>.offset(of: \.wait_status)!)
    let stateOffset = UInt64(MemoryLayout<vv_sidecar>.offset(of: \.wait_state)!)
    var statusBytes: [UInt8] = []
    statusBytes.append(little: status)
    var stateBytes: [UInt8] = []
    stateBytes.append(little: UInt32(1))
    guard file.write(statusBytes, at: statusOffset), file.write(stateBytes, at: stateOffset) else {
      throw TraceFileError(.unwritable, "cannot write into the sidecar of \(path)")
    }
    return true
  }

  /// Whether a process writes it that has the id in another pid namespace, or runs on.
  private static func isAnothers(_ header: vv_sidecar, _ file: SidecarFile) -> Bool {
    var process = header.process
    return file.lock == vv_lock_held || vv_process_look(&process) == vv_process_out_of_sight
  }

  /// Who writes the sidecar of a trace.
  public struct Writer: Sendable, Hashable, CustomStringConvertible {
    /// The process's id; 0 while it has not said who it is.
    public var process: UInt64
    /// Whether it still runs. Of a process of another pid namespace on a file system without locks,
    /// nobody can tell: it is taken to run.
    public var isRunning: Bool
    /// Whether its id counts in another pid namespace, a container's for instance.
    public var isElsewhere = false
    /// Whether it is this process, which may have run another program since.
    package var isThisProcess = false
    /// Whether it has said that the recording is over.
    package var hasStopped = false

    /// Whether it is at it: what lies at the trace's path is in use.
    package var isRecording: Bool { isRunning && !hasStopped }

    /// What people call it.
    public var description: String {
      if process == 0 { return "another process" }
      return "process \(process)\(isElsewhere ? " of another pid namespace" : "")"
    }
  }

  /// Who writes, or has written, the sidecar that lies beside the trace at `path`; nil when there
  /// is none, or something else bears its name.
  public static func writer(ofTraceAt path: String) throws(TraceFileError) -> Writer? {
    guard let file = try SidecarFile(ofTraceAt: path) else { return nil }
    // Its writer died before the header was filled, or is about to fill it.
    if file.isBlank { return Writer(process: 0, isRunning: file.lock == vv_lock_held) }
    guard let header = file.load(vv_sidecar.self, at: 0), header.magic == VV_SIDECAR_MAGIC
    else { return nil }
    var process = header.process
    return Writer(
      process: header.process_id, isRunning: file.isRunning(header),
      isElsewhere: vv_process_look(&process) == vv_process_out_of_sight,
      isThisProcess: vv_process_is_self(&process), hasStopped: header.is_stopped != 0)
  }
}
