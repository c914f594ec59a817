internal import CVarveSystem
internal import VarvePlatform

/// An open sidecar. It is read rather than mapped: if the file shrinks meanwhile, a read returns
/// fewer bytes instead of raising a signal.
final class SidecarFile {
  let descriptor: Int32
  let bytes: UInt64

  /// Opens the sidecar of a trace; nil if there is none, or something else with its name.
  init?(ofTraceAt path: String, writable: Bool = false) throws(TraceFileError) {
    let sidecar = Self.path(ofTraceAt: path)
    // Opening a pipe must not wait for a writer.
    let access = writable ? O_RDWR : O_RDONLY
    let descriptor = open(sidecar, access | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw TraceFileError(
        .unreadable, "cannot open the trace's sidecar \(sidecar)", systemError: errno)
    }
    self.descriptor = descriptor
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    bytes = UInt64(status.st_size)
  }

  deinit { close(descriptor) }

  /// Returns the path of a trace's sidecar.
  static func path(ofTraceAt path: String) -> String { path + "-live" }

  /// Returns `count` bytes from `offset` on, or fewer where the file ends or cannot be read.
  func read(at offset: UInt64, count: Int) -> [UInt8] {
    // An array without capacity is the shared empty one, which must not be written to.
    guard count > 0, let start = off_t(exactly: offset) else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawPointer(buffer.baseAddress! + filled)
        let got = pread(descriptor, rest, count - filled, start + off_t(filled))
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { break }
        filled += got
      }
    }
  }

  /// Returns a structure of `varve_sidecar.h` or `varve_ring.h`; nil if the file ends before it
  /// does. Only for types for which every bit pattern is valid.
  func load<Structure: BitwiseCopyable>(_ type: Structure.Type, at offset: UInt64) -> Structure? {
    let bytes = read(at: offset, count: MemoryLayout<Structure>.size)
    guard bytes.count == MemoryLayout<Structure>.size else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: type) }
  }

  /// Whether nothing has been written into it yet.
  var isBlank: Bool { read(at: 0, count: MemoryLayout<UInt64>.size).allSatisfy { $0 == 0 } }

  /// The state of the lock that recorders hold.
  var lock: vv_lock_state { vv_lock_look(descriptor, UInt64(VV_SIDECAR_LOCK_BYTE)) }

  /// Returns whether the process that wrote this header is still running.
  ///
  /// The kernel releases the lock when the process ends, and its state is visible to every process.
  /// The process ID is needed where there are no locks, and for a process that replaced itself with
  /// another program; in a PID namespace other than this one, it says nothing.
  func isRunning(_ header: vv_sidecar) -> Bool {
    if isKnownToRun(header) { return true }
    var process = header.process
    switch vv_process_look(&process) {
    // Without a lock the answer is unknown, and a file that may be in use must not be touched.
    case vv_process_out_of_sight: return header.is_locked == 0 || lock == vv_lock_unknown
    default: return false
    }
  }

  /// Returns whether the process is certainly running.
  func isKnownToRun(_ header: vv_sidecar) -> Bool {
    var process = header.process
    return lock == vv_lock_held || vv_process_look(&process) == vv_process_running
  }

  /// Overwrites existing bytes of the file.
  func write(_ bytes: [UInt8], at offset: UInt64) -> Bool {
    pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count
  }
}

extension vv_sidecar {
  /// Whether this is the header of a sidecar that this library can read.
  var isSound: Bool {
    magic == VV_SIDECAR_MAGIC && version == UInt32(VV_SIDECAR_VERSION)
  }

  var trace: TraceID { TraceID(low: trace_low, high: trace_high) }

  var process: vv_process {
    vv_process(id: process_id, start: process_start, boot: boot_id, space: pid_namespace)
  }
}
