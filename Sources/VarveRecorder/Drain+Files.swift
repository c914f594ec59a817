internal import CVarveSystem
internal import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// The files of a recording: the one being written, the finished ones, and snapshots.
///
/// When another file replaces the one being written, it is moved into place with `rename` after it
/// contains everything that it must. So at whatever moment the program dies, one of the two is
/// there, whole, and the sidecar beside it holds what it lacks.
extension Drain {
  /// The state of a recording's files.
  struct Files {
    /// The path of the trace.
    let path: String
    /// The time at which the file being written was begun, on the monotonic clock.
    var begun = vv_clock_monotonic()
    /// The finished files that still exist, oldest first, and the number of all finished files.
    var finished: [String] = []
    var finishedCount = 0
    /// Whether the file at `next` is ours.
    var ownsNext = false
    /// The number of bytes with which that file began.
    var carried: UInt64 = 0
    /// The number of blocks that are the recording's beginning, once something after them was left
    /// out.
    var beginning: Int?
    /// The time of the next check.
    var nextLook: UInt64 = 0
    /// The reason why the last check failed.
    var trouble: TraceFileError?

    /// The path of the file that will replace the one being written.
    var next: String { path + "-next" }

    /// Removes the remains of a program that died while it was replacing its file.
    func clear() {
      guard access(next, F_OK) == 0, (try? TraceWriter.checkReplaceable(next)) != nil else {
        return
      }
      unlink(next)
    }
  }

  private static let second: UInt64 = 1_000_000_000
  /// Less than this is not worth rewriting a file for.
  private static let leastForgotten: UInt64 = 256 << 10

  /// Continues at the path if the file was moved, and keeps its size within the limits.
  func lookAfterFiles(now: UInt64) {
    guard now >= files.nextLook || isTooLarge else { return }
    files.nextLook = now + Self.second
    lookAfterSidecar()
    files.trouble = nil
    do throws(TraceFileError) {
      if !writer.isAt(files.path) { try beginAgain() }
      if isDueForRotation(now) { try rotate(now) }
      if isDueForForgetting(now) { try forget(now) }
    } catch {
      if files.ownsNext { unlink(files.next) }
      files.trouble = error
    }
    files.ownsNext = false
  }

  /// Rings without a path are not safe: their records are written sooner, and the user is notified.
  private func lookAfterSidecar() {
    guard !sidecarIsGone, sidecar.isGone else { return }
    sidecarIsGone = true
    StandardError.note(
      "\(sidecar.path) was removed; the recording goes on, but if the program dies, the last events "
        + "are lost")
  }

  /// Whether the file must be checked before the regular time.
  private var isTooLarge: Bool {
    guard files.trouble == nil else { return false }
    if let most = options.rotation?.bytes { return newBytes >= UInt64(max(most, 0)) }
    if let window = options.window, case .bytes(let most) = window.last {
      return isTooLarge(for: window, most)
    }
    return false
  }

  /// The number of bytes written since the file was begun: a file must not be replaced because of
  /// what every file begins with.
  private var newBytes: UInt64 { writer.bytes - files.carried }

  private func isTooLarge(for window: Recorder.Window, _ most: UInt64) -> Bool {
    writer.bytes >= UInt64(window.first) + 2 * most && newBytes >= most
  }

  /// Writes a file that will replace the one being written.
  private func prepare(_ body: (TraceExtract, TraceWriter) throws(TraceFileError) -> Void)
    throws(TraceFileError) -> TraceWriter
  {
    try TraceWriter.checkReplaceable(files.next)
    files.ownsNext = true
    let fresh = try TraceWriter(creating: files.next, for: files.path, header: writer.header)
    try body(try extract(), fresh)
    Milestone.nextFileWritten.pass()
    return fresh
  }

  private func extract() throws(TraceFileError) -> TraceExtract {
    let living = Set(rings.map(\.knownRing)).union(ringless.rings)
    return try TraceExtract(of: writer, living) { () throws(TraceFileError) in try drainAll() }
  }

  /// Moves a file to the trace's path.
  ///
  /// - Parameter replacing: Whether the file there is ours and is replaced.
  private func takeOver(_ fresh: TraceWriter, replacing: Bool = true) throws(TraceFileError) {
    if !replacing, isEmptyFile { unlink(files.path) }
    if replacing || !put(files.next) {
      // There are no links, or the path is a link that leads nowhere.
      guard replacing || leadsNowhere else { throw .refused("replace \(files.path)", EEXIST) }
      guard rename(files.next, files.path) == 0 else {
        throw .refused("replace \(files.path)", errno)
      }
    }
    files.ownsNext = false
    Milestone.nextFileInPlace.pass()
    writer = fresh
    eventsAtAnchor = fresh.events
    files.carried = fresh.bytes
    files.begun = vv_clock_monotonic()
  }

  /// Whether there is no file at the trace's path, or a link there leads nowhere.
  private var leadsNowhere: Bool { access(files.path, F_OK) != 0 && errno == ENOENT }

  /// Whether there is an empty file at the trace's path that has been there for some time: the
  /// creator of a new one may be about to fill it.
  private var isEmptyFile: Bool {
    var there = stat()
    guard lstat(files.path, &there) == 0, there.st_mode & S_IFMT == S_IFREG, there.st_size == 0
    else {
      return false
    }
    #if canImport(Darwin)
      let changed = there.st_mtimespec.tv_sec
    #else
      let changed = there.st_mtim.tv_sec
    #endif
    return access(files.path, W_OK) == 0 && changed <= time(nil) - 2
  }

  /// Gives a file the trace's name if that is free; returns false if that is impossible.
  private func put(_ next: String) -> Bool { link(next, files.path) == 0 && unlink(next) == 0 }

  // MARK: - A moved or removed file

  /// Begins a file at the trace's path, unless there is another one. A file that was moved away is
  /// completed where it is now; the events of one that was removed are reported as missing.
  private func beginAgain() throws(TraceFileError) {
    // Otherwise the sidecar there is ours.
    if sidecar.isGone, let other = try Sidecar.writer(ofTraceAt: files.path), other.isRecording {
      throw TraceFileError(
        .wrongUse, "\(files.path) was moved, and \(other) is recording there now")
    }
    // It may be all that is left of another recording.
    guard leadsNowhere || isEmptyFile else {
      throw TraceFileError(
        .wrongUse, "\(files.path) is another file now, which is left alone; move it away")
    }
    let isRemoved = writer.isRemoved
    let old = writer
    try takeOver(
      try prepare { extract, fresh throws(TraceFileError) in
        try extract.write([], tellsRest: isRemoved, to: fresh)
      }, replacing: false)
    files.beginning = nil
    if !isRemoved { complete(old) }
  }

  /// Returns the age of the file, which may have been begun after `now`.
  private func age(_ now: UInt64) -> UInt64 { now - min(now, files.begun) }

  // MARK: - Rotation

  private func isDueForRotation(_ now: UInt64) -> Bool {
    guard let rotation = options.rotation, writer.events > 0 else { return false }
    if let bytes = rotation.bytes, newBytes >= UInt64(max(bytes, 0)) { return true }
    return rotation.age.map { age(now) >= $0.nanoseconds } ?? false
  }

  /// Continues in another file. Both names refer to the old one for a moment, so that the trace is
  /// never without a file.
  private func rotate(_ now: UInt64) throws(TraceFileError) {
    let old = writer
    let fresh = try prepare { extract, fresh throws(TraceFileError) in
      try extract.write([], tellsRest: false, to: fresh)
    }
    let name = TracePath.unused(files.path, from: files.finishedCount + 1)
    guard link(files.path, name) == 0 else { throw .refused("make \(name)", errno) }
    Milestone.oldFileLinked.pass()
    do throws(TraceFileError) {
      try takeOver(fresh)
    } catch {
      unlink(name)
      throw error
    }
    complete(old)
    Milestone.oldFileFinished.pass()
    files.finished.append(name)
    files.finishedCount += 1
    if let most = options.rotation?.files, files.finished.count > most {
      unlink(files.finished.removeFirst())
    }
  }

  /// Completes a file. If that fails, it lacks its index, but nothing that cannot be found without
  /// one.
  private func complete(_ old: TraceWriter) {
    do throws(TraceFileError) {
      try old.append(anchor: .now(options))
      try old.finish(ending: .clean)
    } catch {
      files.trouble = error
    }
  }

  // MARK: - Keeping the last

  private func isDueForForgetting(_ now: UInt64) -> Bool {
    guard let window = options.window else { return false }
    switch window.last {
    case .bytes(let most): return isTooLarge(for: window, most)
    case .time(let nanoseconds):
      return age(now) >= max(nanoseconds, Self.second)
        && writer.bytes >= UInt64(window.first) + Self.leastForgotten
        && newBytes >= Self.leastForgotten
    }
  }

  /// Rewrites the file without the part between its beginning and its end.
  private func forget(_ now: UInt64) throws(TraceFileError) {
    var beginning = 0
    try takeOver(
      try prepare { extract, fresh throws(TraceFileError) in
        let kept = kept(of: extract.reader.blocks, beginning: &beginning)
        try extract.write(kept, tellsRest: true, to: fresh)
      })
    files.beginning = beginning
  }

  /// Returns the blocks to keep according to the options: all of them unless there is a window.
  private func kept(of blocks: [BlockSummary], beginning: inout Int) -> [BlockSummary] {
    guard let window = options.window else { return blocks }
    beginning = files.beginning ?? window.beginning(of: blocks)
    return window.kept(of: blocks, beginning: beginning, earliest: earliestKept(window))
  }

  /// Returns the tick at which a window in time begins.
  private func earliestKept(_ window: Recorder.Window) -> UInt64 {
    guard case .time(let nanoseconds) = window.last else { return 0 }
    let start = writer.header.anchor
    let now = ClockAnchor.now(options)
    guard now.monotonic > start.monotonic, now.monotonic - start.monotonic > nanoseconds,
      now.ticks > start.ticks
    else { return 0 }
    let rate = Double(now.ticks - start.ticks) / Double(now.monotonic - start.monotonic)
    return now.ticks - min(now.ticks, UInt64(rate * Double(nanoseconds)))
  }

  // MARK: - Snapshots

  /// Writes what is kept of the recording into a complete trace of its own.
  func snapshot(to path: String) throws(TraceFileError) {
    pass(everything: true)
    if let failure { throw failure }
    try writeOpenLosses()
    let part = path + "-next"
    for path in [path, part] {
      try checkIsNotRecorded(path)
      try TraceWriter.checkReplaceable(path)
    }
    do throws(TraceFileError) {
      let fresh = try TraceWriter(creating: part, for: path, header: writer.header)
      let extract = try extract()
      var beginning = 0
      let kept = kept(of: extract.reader.blocks, beginning: &beginning)
      try extract.write(kept, tellsRest: true, to: fresh)
      try fresh.append(losses: [ringless.othersLoss].compactMap(\.self))
      try fresh.append(anchor: .now(options))
      try fresh.finish(ending: .clean)
      guard rename(part, path) == 0 else { throw .refused("make \(path)", errno) }
    } catch {
      unlink(part)
      throw error
    }
  }
}

extension Drain {
  /// Checks the path of a snapshot: replacing a trace that is being recorded would ruin both.
  private func checkIsNotRecorded(_ path: String) throws(TraceFileError) {
    if path == files.path || path == files.next || writer.isAt(path) {
      throw TraceFileError(
        .wrongUse, "\(files.path) is being recorded; a snapshot goes to another path than \(path)")
    }
    if let other = try Sidecar.writer(ofTraceAt: path), other.isRecording {
      throw TraceFileError(
        .wrongUse,
        "\(other) is recording to \(path); a snapshot goes to another path")
    }
  }
}

extension TraceFileError {
  static func refused(_ what: String, _ error: Int32) -> TraceFileError {
    TraceFileError(
      .unwritable, "cannot \(what): \(String(cString: strerror(error)))", systemError: error)
  }
}
