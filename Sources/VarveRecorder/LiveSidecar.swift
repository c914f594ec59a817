internal import CVarveSystem
internal import VarveFormat

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The sidecar of the recording that runs, as its drain thread reaches it.
final class LiveSidecar {
  let path: String
  let header: UnsafeMutablePointer<vv_sidecar>
  private let trace: TraceID
  private let descriptor: Int32
  private var extent: UInt64
  /// Regions whose space was given back, by capacity.
  private var idle: [UInt64: [UInt64]] = [:]

  /// Makes the sidecar of a trace, readable by its owner alone as the trace is,
  /// in the place of one whose writer is gone.
  init(ofTraceAt path: String, id: TraceID) throws(TraceFileError) {
    let sidecar = Sidecar.path(ofTraceAt: path)
    try Self.clear(sidecar, traceAt: path)
    let descriptor = open(sidecar, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.refused("create", sidecar, errno) }
    vv_lobby_empty()
    var error = vv_file_reserve(descriptor, 0, UInt64(VV_SIDECAR_HEADER_BYTES))
    let mapped = error == 0 ? vv_sidecar_map(descriptor) : nil
    guard let mapped else {
      if error == 0 { error = errno }
      unlink(sidecar)
      close(descriptor)
      throw Self.refused("make", sidecar, error)
    }
    self.path = sidecar
    self.descriptor = descriptor
    trace = id
    header = mapped
    extent = UInt64(VV_SIDECAR_HEADER_BYTES)
    fillHeader()
  }

  private func fillHeader() {
    var process = vv_process()
    vv_process_self(&process)
    header.pointee.version = UInt32(VV_SIDECAR_VERSION)
    header.pointee.header_bytes = UInt32(VV_SIDECAR_HEADER_BYTES)
    header.pointee.trace_low = trace.low
    header.pointee.trace_high = trace.high
    header.pointee.process_id = process.id
    header.pointee.process_start = process.start
    header.pointee.boot_id = process.boot
    header.pointee.extent = extent
    header.pointee.guests = UInt32(VV_SIDECAR_GUESTS)
    header.pointee.guests_offset = UInt32(VV_SIDECAR_GUESTS_OFFSET)
    vv_sidecar_publish(header)
  }

  /// Adds a ring, or a log of definitions, that is empty and nobody's; where it was one before if
  /// that can be.
  ///
  /// - Parameter ready: bytes of it that writing into faults no more.
  func addRegion(
    _ kind: vv_region_kind, capacity: UInt64, policy: vv_policy, ready: UInt64 = .max
  ) throws(TraceFileError) -> UnsafeMutablePointer<vv_slot> {
    let idleOffset = kind == vv_region_ring ? idle[capacity]?.last : nil
    let offset = idleOffset ?? extent
    let bytes = UInt64(VV_RING_HEADER_BYTES) + capacity
    let error = vv_file_reserve(descriptor, offset, bytes)
    guard error == 0 else {
      // What was reserved before the disk was full is given back.
      if idleOffset == nil {
        ftruncate(descriptor, off_t(extent))
      } else {
        vv_file_release(descriptor, offset + UInt64(VV_RING_HEADER_BYTES), capacity)
      }
      throw Self.refused("enlarge", path, error)
    }
    Milestone.ringReserved.pass()
    guard let base = vv_ring_map(descriptor, offset, capacity, ready) else {
      throw Self.refused("map", path, errno)
    }
    guard let slot = vv_slot_make(base, capacity, offset, policy) else {
      vv_ring_unmap(base, capacity)
      throw Self.refused("map", path, ENOMEM)
    }
    Milestone.ringMapped.pass()
    if idleOffset == nil {
      describe(slot.pointee.ring, kind, bytes: bytes, capacity: capacity)
      extent += bytes
      vv_sidecar_extend(header, extent)
    } else {
      idle[capacity]?.removeLast()
    }
    Milestone.ringReady.pass()
    return slot
  }

  private func describe(
    _ ring: UnsafeMutablePointer<vv_ring>, _ kind: vv_region_kind, bytes: UInt64, capacity: UInt64
  ) {
    ring.pointee.region = vv_region(
      magic: VV_REGION_MAGIC, trace_low: trace.low, trace_high: trace.high, bytes: bytes,
      kind: kind.rawValue, reserved: 0)
    ring.pointee.capacity = capacity
  }

  /// Gives the space of a ring that is empty and nobody's back to the system, until it is needed.
  func giveBack(_ slot: UnsafeMutablePointer<vv_slot>) {
    let capacity = slot.pointee.capacity
    let offset = slot.pointee.offset
    vv_slot_release(slot)
    vv_file_release(descriptor, offset + UInt64(VV_RING_HEADER_BYTES), capacity)
    idle[capacity, default: []].append(offset)
  }

  /// Begins the turn of one who takes orders; false while somebody leaves some. The lock belongs to
  /// the open file, which children of a fork share: it must not outlast the drain thread's work.
  func beginTurn() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Ends it.
  func endTurn() { flock(descriptor, LOCK_UN) }

  /// Whether somebody has removed or moved the file: nobody will find the rings after a crash.
  var isGone: Bool {
    var mine = stat()
    var there = stat()
    guard fstat(descriptor, &mine) == 0 else { return false }
    return stat(path, &there) != 0 || mine.st_ino != there.st_ino || mine.st_dev != there.st_dev
  }

  /// The last act of a recording: removes the sidecar when the trace holds everything, else marks it
  /// as complete.
  func finish(traceIsComplete: Bool) {
    if !traceIsComplete {
      header.pointee.is_stopped = 1
    } else if !isGone {
      unlink(path)
    }
    vv_sidecar_detach()
    endTurn()
    close(descriptor)
  }

  private static func refused(_ verb: String, _ path: String, _ error: Int32) -> TraceFileError {
    TraceFileError(.unwritable, "cannot \(verb) the sidecar \(path)", systemError: error)
  }
}

extension Sidecar.Writer {
  /// Whether this process wrote it before it ran another program in its own place: the id is the
  /// same, and a recording of the present program's would have been stopped.
  var isEarlierImage: Bool { isRunning && process == UInt64(getpid()) && !hasStopped }
}

extension LiveSidecar {
  /// Removes a sidecar that a recording which is over has left, and nothing else.
  private static func clear(_ sidecar: String, traceAt path: String) throws(TraceFileError) {
    guard access(sidecar, F_OK) == 0 else { return }
    guard let owner = try Sidecar.writer(ofTraceAt: path) else {
      throw TraceFileError(
        .wrongUse, "\(sidecar) exists and is no sidecar of a trace; it is left alone")
    }
    if owner.isRunning && owner.process != UInt64(getpid()) {
      throw TraceFileError(
        .wrongUse,
        "process \(owner.process) is recording to \(path); a path with %p gives each"
          + " process a file of its own")
    }
    if owner.isEarlierImage {
      throw TraceFileError(
        .wrongUse,
        "\(path) holds what this process recorded before it ran another program in its own place;"
          + " choose another path")
    }
    unlink(sidecar)
  }
}
