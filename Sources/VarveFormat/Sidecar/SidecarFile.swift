internal import CVarveSystem
internal import VarvePlatform

/// A sidecar, open. It is read rather than mapped: a file that shrinks meanwhile gives fewer bytes
/// then, not a signal.
final class SidecarFile {
  let descriptor: Int32
  let bytes: UInt64

  /// Opens the sidecar of a trace; nil when there is none, or something else bears its name.
  init?(ofTraceAt path: String, writable: Bool = false) throws(TraceFileError) {
    let sidecar = Self.path(ofTraceAt: path)
    // Opening a pipe must not wait for somebody to write into it.
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

  /// Where the sidecar of a trace lies.
  static func path(ofTraceAt path: String) -> String { path + "-live" }

  /// Bytes from `offset` on: `count`, or fewer where the file ends or cannot be read.
  func read(at offset: UInt64, count: Int) -> [UInt8] {
    // Of no capacity, the array would be the one that all empty ones share, and be written to.
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

  /// A structure of `varve_sidecar.h` or `varve_ring.h`; nil when the file ends before it does.
  /// Only for types whose every pattern of bits is a value.
  func load<Structure: BitwiseCopyable>(_ type: Structure.Type, at offset: UInt64) -> Structure? {
    let bytes = read(at: offset, count: MemoryLayout<Structure>.size)
    guard bytes.count == MemoryLayout<Structure>.size else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(as: type) }
  }

  /// Whether nothing was written into it yet.
  var isBlank: Bool { read(at: 0, count: MemoryLayout<UInt64>.size).allSatisfy { $0 == 0 } }

  /// Whether somebody holds the lock of those who record.
  var lock: vv_lock_state { vv_lock_look(descriptor, UInt64(VV_SIDECAR_LOCK_BYTE)) }

  /// Whether the process that wrote this header still runs.
  ///
  /// The kernel drops the lock with the process, and shows it to everybody. A process's id is needed
  /// where there are no locks, and for a process that runs another program in its own place; in
  /// another pid namespace than this one it tells nothing.
  func isRunning(_ header: vv_sidecar) -> Bool {
    let lock = lock
    if lock == vv_lock_held { return true }
    var process = header.process
    switch vv_process_look(&process) {
    case vv_process_running: return true
    // Without a lock nobody can tell, and what may be in use is not to be touched.
    case vv_process_out_of_sight: return header.is_locked == 0 || lock == vv_lock_unknown
    default: return false
    }
  }

  /// Overwrites bytes that the file has already.
  func write(_ bytes: [UInt8], at offset: UInt64) -> Bool {
    pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count
  }
}

extension vv_sidecar {
  /// Whether this is the header of a sidecar that this library understands.
  var isSound: Bool {
    magic == VV_SIDECAR_MAGIC && version == UInt32(VV_SIDECAR_VERSION)
  }

  var trace: TraceID { TraceID(low: trace_low, high: trace_high) }

  var process: vv_process {
    vv_process(id: process_id, start: process_start, boot: boot_id, space: pid_namespace)
  }
}
