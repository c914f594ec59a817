internal import CVarveSystem
internal import VarvePlatform

extension Sidecar {
  /// Removes the sidecar beside a trace if the file alone contains as much as both: the sidecar
  /// belongs to that trace, can be read to its end, has no event that the file lacks, and is not
  /// being recorded to.
  ///
  /// - Returns: Whether it was removed.
  static func removeFolded(ofTraceAt path: String) -> Bool {
    guard let trace = try? TraceReader(path: path), trace.isComplete, let sidecar = trace.sidecar,
      sidecar.damage.isEmpty, trace.sidecarEvents == 0,
      let writer = try? writer(ofTraceAt: path), !writer.isRecording, synchronizeFolder(of: path),
      let file = try? SidecarFile(ofTraceAt: path, writable: true)
    else { return false }
    // A process that removes a sidecar locks it first; the lock ends with the open file.
    defer { withExtendedLifetime(file) {} }
    guard vv_lock_take(file.descriptor, UInt64(VV_SIDECAR_LOCK_BYTE)) != vv_lock_held else {
      return false
    }
    // On file systems without locks, another recording may create its sidecar here at this moment,
    // so the file is moved aside and checked again before it is removed.
    let draft = RewrittenFile.draft(of: path)
    let (place, aside) = (Self.path(ofTraceAt: path), Self.path(ofTraceAt: draft))
    guard rename(place, aside) == 0 else { return false }
    guard let taken = try? SidecarSnapshot(ofTraceAt: draft), taken.trace == sidecar.trace else {
      if link(aside, place) == 0 { unlink(aside) }
      return false
    }
    return unlink(aside) == 0
  }

  /// Waits until a folder's entries are on the device.
  private static func synchronizeFolder(of path: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
