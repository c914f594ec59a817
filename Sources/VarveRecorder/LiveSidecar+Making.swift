internal import CVarveSystem
internal import VarveFormat
internal import VarvePlatform

extension Sidecar.Writer {
  /// Whether this process wrote it before it ran another program in its own place: a recording of the
  /// present program's would have been stopped.
  var isEarlierImage: Bool { isThisProcess && isRecording }
}

/// How a sidecar comes to be where the one of an earlier recording may lie, and where other processes
/// try the same at the same moment, perhaps in other pid namespaces.
///
/// Whoever makes one locks a byte of it, for as long as it records; whoever removes one locks it
/// first. So a file that is locked and still has its name is its maker's, and stays.
extension LiveSidecar {
  /// Makes the file, in the place of one whose writer is gone.
  static func create(
    _ sidecar: String, traceAt path: String, _ mayReplace: Bool
  ) throws(TraceFileError) -> (descriptor: Int32, lock: Opening) {
    // Each turn fails because another process has done something meanwhile.
    for _ in 0..<100 {
      if mayReplace { try clear(sidecar, traceAt: path) }
      let descriptor = open(sidecar, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor < 0 && errno == EEXIST {
        guard mayReplace else { throw .isTaken(path) }
        continue
      }
      guard descriptor >= 0 else { throw refused("create", sidecar, errno) }
      do throws(TraceFileError) {
        if let lock = try lock(sidecar, madeAs: descriptor) { return (descriptor, lock) }
      } catch {
        close(descriptor)
        throw error
      }
      close(descriptor)
    }
    throw TraceFileError(.wrongUse, "others are beginning to record to \(path) all the time")
  }

  /// Locks the file that was made; nil when somebody is about to remove it, or has.
  private static func lock(
    _ sidecar: String, madeAs descriptor: Int32
  ) throws(TraceFileError) -> Opening? {
    // Opened once more: the lock is to go with the process, and memory that is mapped stays open in
    // children of a fork.
    let again = open(sidecar, O_RDWR | O_CLOEXEC)
    guard again >= 0 else {
      let error = errno
      guard error != ENOENT else { return nil }
      remove(sidecar, ifAt: descriptor)
      throw refused("open", sidecar, error)
    }
    guard isSame(again, descriptor) else {
      close(again)
      return nil
    }
    let outcome = vv_lock_take(again, UInt64(VV_SIDECAR_LOCK_BYTE))
    guard outcome != vv_lock_held, leads(sidecar, to: again) else {
      close(again)
      return nil
    }
    return Opening(descriptor: again, isLocked: outcome == vv_lock_free)
  }

  /// Removes a sidecar that a recording which is over has left, and nothing else.
  private static func clear(_ sidecar: String, traceAt path: String) throws(TraceFileError) {
    guard access(sidecar, F_OK) == 0 else { return }
    guard let owner = try Sidecar.writer(ofTraceAt: path) else {
      // It may have gone at this moment.
      guard access(sidecar, F_OK) == 0 else { return }
      throw TraceFileError(
        .wrongUse, "\(sidecar) exists and is no sidecar of a trace; it is left alone")
    }
    if owner.isRunning && !owner.isThisProcess { throw inUse(path, by: owner) }
    if owner.isEarlierImage {
      throw TraceFileError(
        .wrongUse,
        "\(path) holds what this process recorded before it ran another program in its own place;"
          + " choose another path")
    }
    let old = open(sidecar, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard old >= 0 else {
      guard errno == ENOENT else { throw refused("open", sidecar, errno) }
      return
    }
    defer { close(old) }
    guard remove(sidecar, ifAt: old) else {
      throw inUse(path, by: (try Sidecar.writer(ofTraceAt: path)) ?? owner)
    }
  }

  /// Removes a sidecar if it is still the one that is open; false when somebody holds its lock.
  @discardableResult
  private static func remove(_ sidecar: String, ifAt descriptor: Int32) -> Bool {
    guard vv_lock_take(descriptor, UInt64(VV_SIDECAR_LOCK_BYTE)) != vv_lock_held else {
      return false
    }
    if leads(sidecar, to: descriptor) { unlink(sidecar) }
    return true
  }

  private static func inUse(_ path: String, by owner: Sidecar.Writer) -> TraceFileError {
    TraceFileError(
      .wrongUse,
      "\(owner) is recording to \(path); a path with %p gives each process a file of its own")
  }

  private static func leads(_ path: String, to descriptor: Int32) -> Bool {
    var (mine, there) = (stat(), stat())
    return fstat(descriptor, &mine) == 0 && stat(path, &there) == 0
      && (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)
  }

  private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    return fstat(one, &first) == 0 && fstat(other, &second) == 0
      && (first.st_dev, first.st_ino) == (second.st_dev, second.st_ino)
  }
}

extension TraceFileError {
  /// What is there is another recording's.
  static func isTaken(_ path: String) -> TraceFileError {
    TraceFileError(
      .wrongUse, "\(path) is there already, or is being recorded", systemError: EEXIST)
  }

  /// Whether it says that.
  var isTaken: Bool { code == .wrongUse && systemError == EEXIST }
}
