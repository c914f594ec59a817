internal import CVarveSystem
internal import VarvePlatform

extension Sidecar {
  /// Removes the sidecar beside a trace when the file alone says as much as both: the sidecar is that
  /// trace's, can be read to its end, holds no event that the file lacks, and nobody records to it.
  ///
  /// - Returns: whether it was removed.
  static func removeFolded(ofTraceAt path: String) -> Bool {
    guard let trace = try? TraceReader(path: path), trace.isComplete, let sidecar = trace.sidecar,
      sidecar.damage.isEmpty, trace.sidecarEvents == 0,
      let writer = try? writer(ofTraceAt: path), !writer.isRecording, synchronizeFolder(of: path),
      let file = try? SidecarFile(ofTraceAt: path, writable: true)
    else { return false }
    // Whoever removes a sidecar locks it first; the lock goes with the open file.
    defer { withExtendedLifetime(file) {} }
    guard vv_lock_take(file.descriptor, UInt64(VV_SIDECAR_LOCK_BYTE)) != vv_lock_held else {
      return false
    }
    // Where there are no locks, a recording may begin here at this moment, with a sidecar of its own:
    // what is removed is looked at once more where nobody else looks for it.
    let draft = RewrittenFile.draft(of: path)
    let (place, aside) = (Self.path(ofTraceAt: path), Self.path(ofTraceAt: draft))
    guard rename(place, aside) == 0 else { return false }
    guard let taken = try? SidecarSnapshot(ofTraceAt: draft), taken.trace == sidecar.trace else {
      if link(aside, place) == 0 { unlink(aside) }
      return false
    }
    return unlink(aside) == 0
  }

  /// Returns when the device knows what the files in a folder are called.
  private static func synchronizeFolder(of path: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
