internal import CVarveSystem
internal import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// The files of a recording: one that is being written, those that are finished, snapshots.
///
/// Another file takes the place of the one that is being written by a `rename`, when it holds all
/// that it must. So at whatever moment the program dies, one of the two is there, whole, and the
/// sidecar beside it holds what it lacks.
extension Drain {
  /// What has to be remembered of files.
  struct Files {
    /// Where the trace goes.
    let path: String
    /// When the file that is being written was begun, on the monotonic clock.
    var begun = vv_clock_monotonic()
    /// Finished files that are still there, oldest first, and how many there were.
    var finished: [String] = []
    var finishedCount = 0
    /// Whether what lies at `next` is ours.
    var ownsNext = false
    /// Bytes of that file that were in it from the beginning.
    var carried: UInt64 = 0
    /// Blocks of the recording's beginning, once something was left out behind them.
    var beginning: Int?
    /// When to look after them again.
    var nextLook: UInt64 = 0
    /// Why files could not be looked after the last time.
    var trouble: TraceFileError?

    /// Where a file lies that is to take the place of the one that is being written.
    var next: String { path + "-next" }

    /// Removes what a program that died while it was about to replace its file has left.
    func clear() {
      guard access(next, F_OK) == 0, (try? TraceWriter.checkReplaceable(next)) != nil else {
        return
      }
      unlink(next)
    }
  }

  private static let second: UInt64 = 1_000_000_000
  /// Less than this is not worth writing a file anew for.
  private static let leastForgotten: UInt64 = 256 << 10

  /// Follows the file if somebody has moved it, and keeps its size within what was asked for.
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

  /// Rings that nobody can find are no safe place: their records are written sooner, and people are
  /// told.
  private func lookAfterSidecar() {
    guard !sidecarIsGone, sidecar.isGone else { return }
    sidecarIsGone = true
    StandardError.note(
      "\(sidecar.path) was removed; the recording goes on, but if the program dies, the last events "
        + "are lost")
  }

  /// Whether the file has to be looked after before its time.
  private var isTooLarge: Bool {
    guard files.trouble == nil else { return false }
    if let most = options.rotation?.bytes { return newBytes >= UInt64(max(most, 0)) }
    if let window = options.window, case .bytes(let most) = window.last {
      return isTooLarge(for: window, most)
    }
    return false
  }

  /// What was written since the file was begun: a file must not be replaced because of what every
  /// file begins with.
  private var newBytes: UInt64 { writer.bytes - files.carried }

  private func isTooLarge(for window: Recorder.Window, _ most: UInt64) -> Bool {
    writer.bytes >= UInt64(window.first) + 2 * most && newBytes >= most
  }

  /// A file that will take the place of the one that is being written.
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
    let living = Set(rings.map(\.knownRing)).union(lobby.rings)
    return try TraceExtract(of: writer, living) { () throws(TraceFileError) in try drainAll() }
  }

  /// Puts a file where the trace belongs.
  ///
  /// - Parameter replacing: whether what is there is ours, and makes way.
  private func takeOver(_ fresh: TraceWriter, replacing: Bool = true) throws(TraceFileError) {
    if !replacing, isEmptyFile { unlink(files.path) }
    if replacing || !put(files.next) {
      // Where there are no links, or the name is a link that leads nowhere.
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

  /// Whether no file is where the trace belongs; of a link, where that leads.
  private var leadsNowhere: Bool { access(files.path, F_OK) != 0 && errno == ENOENT }

  /// Whether somebody has left an empty file where the trace belongs, some time ago: who has only just
  /// made it may be about to fill it.
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

  /// Gives a file the trace's name where nothing bears it; false when that cannot be.
  private func put(_ next: String) -> Bool { link(next, files.path) == 0 && unlink(next) == 0 }

  // MARK: - Somebody has moved or removed the file

  /// Begins a file where the trace belongs, unless somebody has put another there. What was moved away
  /// is completed where it is now; what was removed is told to be missing.
  private func beginAgain() throws(TraceFileError) {
    // Else the sidecar there is ours.
    if sidecar.isGone, let other = try Sidecar.writer(ofTraceAt: files.path), other.isRecording {
      throw TraceFileError(
        .wrongUse, "\(files.path) was moved, and \(other) is recording there now")
    }
    // It may be all that there is of another recording.
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

  /// How long ago the file was begun, which may have been after `now`.
  private func age(_ now: UInt64) -> UInt64 { now - min(now, files.begun) }

  // MARK: - Rotation

  private func isDueForRotation(_ now: UInt64) -> Bool {
    guard let rotation = options.rotation, writer.events > 0 else { return false }
    if let bytes = rotation.bytes, newBytes >= UInt64(max(bytes, 0)) { return true }
    return rotation.age.map { age(now) >= $0.nanoseconds } ?? false
  }

  /// Goes on in another file. Both names lead to the old one for a moment, so that the trace is
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

  /// A file that could not be completed lacks its index, and nothing that cannot be found without.
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

  /// Writes the file anew without what lies between its beginning and the last.
  private func forget(_ now: UInt64) throws(TraceFileError) {
    var beginning = 0
    try takeOver(
      try prepare { extract, fresh throws(TraceFileError) in
        let kept = kept(of: extract.reader.blocks, beginning: &beginning)
        try extract.write(kept, tellsRest: true, to: fresh)
      })
    files.beginning = beginning
  }

  /// The blocks that the options ask to keep: all of them unless there is a window.
  private func kept(of blocks: [BlockSummary], beginning: inout Int) -> [BlockSummary] {
    guard let window = options.window else { return blocks }
    beginning = files.beginning ?? window.beginning(of: blocks)
    return window.kept(of: blocks, beginning: beginning, earliest: earliestKept(window))
  }

  /// The tick at which a window in time begins.
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
  /// A snapshot that took the place of a trace that is being recorded would be the end of both.
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
