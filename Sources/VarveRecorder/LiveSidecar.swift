internal import CVarveSystem
internal import VarveFormat
internal import VarvePlatform

/// The sidecar of the recording that runs, as its drain thread reaches it.
final class LiveSidecar {
  let path: String
  let header: UnsafeMutablePointer<vv_sidecar>
  private let trace: TraceID
  private let descriptor: Int32
  /// An opening of the file that is never mapped, and holds the lock that says that we record.
  private let lock: Opening
  private var extent: UInt64
  /// Regions whose space was given back, by capacity.
  private var idle: [UInt64: [UInt64]] = [:]

  /// An opening of the sidecar, whose lock goes with it.
  struct Opening {
    let descriptor: Int32
    /// False on a file system that has no locks.
    let isLocked: Bool

    func end() { vv_process_close(descriptor) }
  }

  /// Makes the sidecar of a trace, readable by its owner alone as the trace is,
  /// in the place of one whose writer is gone.
  init(ofTraceAt path: String, id: TraceID, mayReplace: Bool = true) throws(TraceFileError) {
    let sidecar = Sidecar.path(ofTraceAt: path)
    let (descriptor, lock) = try Self.create(sidecar, traceAt: path, mayReplace)
    vv_lobby_empty()
    var error = vv_file_reserve(descriptor, 0, UInt64(VV_SIDECAR_HEADER_BYTES))
    let mapped = error == 0 ? vv_sidecar_map(descriptor) : nil
    guard let mapped else {
      if error == 0 { error = errno }
      unlink(sidecar)
      close(descriptor)
      lock.end()
      throw Self.refused("make", sidecar, error)
    }
    self.path = sidecar
    self.descriptor = descriptor
    self.lock = lock
    vv_process_owns(descriptor)
    vv_process_owns(lock.descriptor)
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
    header.pointee.pid_namespace = process.space
    header.pointee.is_locked = lock.isLocked ? 1 : 0
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
  func beginTurn() -> Bool { OrdersLock.take(descriptor) }

  /// Ends it.
  func endTurn() { OrdersLock.drop(descriptor) }

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
    vv_process_close(descriptor)
    // Last: from now on others may take what lies here.
    lock.end()
  }

  static func refused(_ verb: String, _ path: String, _ error: Int32) -> TraceFileError {
    .refused("\(verb) the sidecar \(path)", error)
  }
}
