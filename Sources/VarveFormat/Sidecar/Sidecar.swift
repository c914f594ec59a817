internal import CVarveSystem

/// The file beside a trace that holds what the trace does not contain yet, and what a program that
/// watches the recorded one may store there.
public enum Sidecar {
  /// Returns the path of a trace's sidecar.
  public static func path(ofTraceAt path: String) -> String { SidecarFile.path(ofTraceAt: path) }

  /// Stores how the recorded process ended, for readers of its trace.
  ///
  /// - Parameters:
  ///   - status: The status from `waitpid`.
  ///   - process: The process that ended.
  ///   - path: The trace's path.
  /// - Returns: Whether there was a sidecar of that process: none is left after a clean close.
  /// - Throws: A `TraceFileError` if the sidecar cannot be opened or written.
  @discardableResult
  public static func store(waitStatus status: Int32, of process: UInt32, forTraceAt path: String)
    throws(TraceFileError) -> Bool
  {
    guard let file = try SidecarFile(ofTraceAt: path, writable: true),
      let header = file.load(vv_sidecar.self, at: 0), header.isSound,
      header.process_id == UInt64(process), !isAnothers(header, file)
    else { return false }
    // The status is written before the mark that it is valid, because a reader may read in between.
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

  /// Returns whether the writer is a process with this ID in another PID namespace, or is still
  /// running.
  private static func isAnothers(_ header: vv_sidecar, _ file: SidecarFile) -> Bool {
    var process = header.process
    return file.lock == vv_lock_held || vv_process_look(&process) == vv_process_out_of_sight
  }

  /// The process that writes the sidecar of a trace.
  public struct Writer: Sendable, Hashable, CustomStringConvertible {
    /// The process ID; 0 if it has not stored it yet.
    public var process: UInt64
    /// Whether it is still running. This is unknown for a process of another PID namespace on a
    /// file system without locks, which is taken to be running.
    public var isRunning: Bool
    /// Whether its ID belongs to another PID namespace, for instance a container's.
    public var isElsewhere = false
    /// Whether it is this process, which may have replaced itself with another program since.
    package var isThisProcess = false
    /// Whether it has marked the recording as stopped.
    package var hasStopped = false

    /// Whether it is recording, so that the files at the trace's path are in use.
    package var isRecording: Bool { isRunning && !hasStopped }

    /// A name for messages.
    public var description: String {
      if process == 0 { return "another process" }
      return "process \(process)\(isElsewhere ? " of another pid namespace" : "")"
    }
  }

  /// Returns the process that writes, or has written, the sidecar beside the trace at `path`; nil
  /// if there is no sidecar, or something else with its name.
  public static func writer(ofTraceAt path: String) throws(TraceFileError) -> Writer? {
    guard let file = try SidecarFile(ofTraceAt: path) else { return nil }
    // Its writer died before it filled the header, or is about to fill it.
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
