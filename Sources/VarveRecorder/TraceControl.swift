internal import CVarveSystem
internal import VarveFormat
internal import VarvePlatform

/// Files beside the trace, `run.varve-control-1`, `-2`, …, through which another program changes
/// what is recorded, or requests a snapshot. The drain thread looks for them once a second, carries
/// out their orders one after the other, and removes them.
///
/// Both the sender and the receiver of orders hold a lock on the sidecar meanwhile. So the numbers
/// are the order in which they were given, and none is lost.
package enum TraceControl {
  /// Returns the beginning of the names of files with orders.
  package static func path(ofTraceAt path: String) -> String { path + "-control" }

  /// Returns the path of a file with waiting orders, counted from 1.
  package static func path(ofOrders number: Int, forTraceAt path: String) -> String {
    "\(Self.path(ofTraceAt: path))-\(number)"
  }

  /// The largest number of files that may wait at a time.
  static let most = 1_000
  /// The largest size of one file in bytes.
  static let longest = 65_536

  /// Leaves orders for the process that is recording a trace, after those already waiting.
  ///
  /// - Throws: An `OptionMistake` if the orders would not be understood; a `TraceFileError` if the
  ///   trace is not being recorded, if no more orders can wait, or if the file cannot be created.
  package static func send(_ orders: String, toTraceAt path: String) throws {
    var options = Recorder.Options()
    try Orders(orders).change(&options)
    guard orders.utf8.count <= longest else {
      throw OptionMistake(message: "so many orders cannot be given at once: \(longest) bytes can")
    }
    try checkIsRecorded(path)
    let turn = try OrdersTurn(ofTraceAt: path)
    defer { turn.end() }
    // The recording may have been stopped while others held the lock.
    try checkIsRecorded(path)
    try leave(orders, forTraceAt: path, of: turn.owner)
  }

  private static func checkIsRecorded(_ path: String) throws(TraceFileError) {
    guard let writer = try Sidecar.writer(ofTraceAt: path), writer.isRecording else {
      throw TraceFileError(.wrongUse, "nobody is recording to \(path)")
    }
  }

  /// Writes the file under another name first, so that it is never read half-written.
  private static func leave(
    _ orders: String, forTraceAt path: String, of owner: uid_t
  ) throws(TraceFileError) {
    let part = Self.path(ofTraceAt: path) + "-next"
    // The remains of an earlier call, or a link that leads elsewhere.
    unlink(part)
    let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .refused("make \(part)", errno) }
    defer { unlink(part) }
    var text = orders
    errno = 0
    let isWritten =
      text.withUTF8 { write(file, $0.baseAddress, $0.count) == $0.count }
      // A recorder takes orders only from its own user.
      && (owner == geteuid() || fchown(file, owner, gid_t.max) == 0)
    let error = errno == 0 ? ENOSPC : errno
    close(file)
    guard isWritten else { throw .refused("write \(part)", error) }
    for number in 1...most {
      let target = Self.path(ofOrders: number, forTraceAt: path)
      // Never replaces an existing file, whatever it is.
      if place(part, at: target) { return }
      guard errno == EEXIST else { throw .refused("make \(target)", errno) }
    }
    throw TraceFileError(.wrongUse, "\(most) orders wait already beside \(path)")
  }

  /// Gives a file a free name. On file systems without links, the name is checked first, which is
  /// enough while the lock is held.
  private static func place(_ part: String, at target: String) -> Bool {
    if link(part, target) == 0 { return true }
    guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { return false }
    var status = stat()
    guard lstat(target, &status) != 0 else {
      errno = EEXIST
      return false
    }
    return rename(part, target) == 0
  }
}

/// The lock for leaving and taking orders: on a byte of the sidecar, or on all of it where the
/// system cannot lock bytes for an open file.
enum OrdersLock {
  /// Takes the lock; returns false, with `errno` set, while it is held elsewhere.
  static func take(_ file: Int32) -> Bool {
    switch vv_lock_take(file, UInt64(VV_SIDECAR_TURN_BYTE)) {
    case vv_lock_free: return true
    case vv_lock_held:
      errno = EWOULDBLOCK
      return false
    default: return flock(file, LOCK_EX | LOCK_NB) == 0
    }
  }

  static func drop(_ file: Int32) {
    vv_lock_drop(file, UInt64(VV_SIDECAR_TURN_BYTE))
    flock(file, LOCK_UN)
  }
}

/// The turn of a sender of orders, which holds the lock.
private struct OrdersTurn {
  private let sidecar: Int32
  /// The user who is recording.
  let owner: uid_t

  /// Waits for the turn: others take only moments.
  init(ofTraceAt path: String) throws(TraceFileError) {
    for _ in 0..<1_000 {
      // Some file systems lock only files that are open for writing.
      let sidecar = open(Sidecar.path(ofTraceAt: path), O_RDWR | O_CLOEXEC)
      guard sidecar >= 0 else { throw .refused("open the sidecar of \(path)", errno) }
      if OrdersLock.take(sidecar) {
        var (locked, named) = (stat(), stat())
        // Another recording, with another sidecar, may have begun meanwhile.
        if fstat(sidecar, &locked) == 0, stat(Sidecar.path(ofTraceAt: path), &named) == 0,
          (locked.st_dev, locked.st_ino) == (named.st_dev, named.st_ino)
        {
          (self.sidecar, owner) = (sidecar, locked.st_uid)
          return
        }
        close(sidecar)
        continue
      }
      let error = errno
      close(sidecar)
      guard error == EWOULDBLOCK || error == EINTR else {
        throw .refused("lock the sidecar of \(path)", error)
      }
      usleep(10_000)
    }
    throw TraceFileError(.wrongUse, "somebody else is leaving orders for \(path), and hangs")
  }

  func end() { close(sidecar) }
}

/// The contents of a file with orders.
struct Orders {
  /// The changes to what is recorded; empty if there are none.
  private var changes: [OptionText] = []
  /// Whether a snapshot is requested.
  var wantsSnapshot = false

  init(_ text: String) {
    let parts = text.split { $0 == "," || $0.isNewline }
    changes = parts.filter { $0 != "snapshot" }.map { OptionText($0) }
    wantsSnapshot = changes.count < parts.count
  }

  /// Applies the changes to the current options, and changes nothing else: in particular, what is
  /// private stays private.
  func change(_ options: inout Recorder.Options) throws(OptionMistake) {
    // The choice of streams is one option, so a new choice replaces the earlier one.
    let names = Set(changes.map(\.name))
    if !names.isDisjoint(with: ["streams", "include", "exclude", "sample"]) {
      options.selection.included = []
      options.selection.excluded = []
      options.selection.samplings = []
    }
    for change in changes { try options.obey(change) }
  }
}

/// A watch for orders. Used on the drain thread.
struct ControlWatch {
  private let trace: String
  /// The path of orders while they are read, so that the file read is the file removed.
  private let taken: String
  private var latestLook: UInt64 = 0

  /// Less than the drain thread's period, so that it checks every time it wakes after a period.
  private static let pause: UInt64 = 250_000_000

  init(ofTraceAt path: String) {
    trace = path
    taken = TraceControl.path(ofTraceAt: path) + "-taken"
  }

  /// Removes orders that were meant for an earlier recording, so that they do not affect this one;
  /// at the end, removes those that came too late.
  func clear() {
    for path in [taken] + paths().reversed() {
      guard let file = openOrders(path) else { continue }
      close(file)
      unlink(path)
    }
  }

  /// Carries out new orders, if it is time to check; returns true if a snapshot is requested.
  mutating func obey(now: UInt64, besides sidecar: LiveSidecar) -> Bool {
    guard now - latestLook >= Self.pause else { return false }
    latestLook = now
    guard isThere(path(1)), sidecar.beginTurn() else { return false }
    defer { sidecar.endTurn() }
    return obeyWhatWaits()
  }

  /// Carries out the orders left before the end of a recording: a sender from now on waits for its
  /// turn and then finds that the recording has ended.
  func obeyLast(besides sidecar: LiveSidecar) -> Bool {
    var tries = 0
    while !sidecar.beginTurn(), tries < 100 {
      usleep(10_000)
      tries += 1
    }
    return obeyWhatWaits()
  }

  private func obeyWhatWaits() -> Bool {
    // The latest first: if the process is killed meanwhile, the remaining numbers have no gap, and
    // the next recording finds all of them.
    let orders = paths().reversed().compactMap { take($0) }.reversed()
    var wantsSnapshot = false
    for text in orders where obey(Orders(text)) { wantsSnapshot = true }
    return wantsSnapshot
  }

  private func obey(_ orders: Orders) -> Bool {
    do throws(OptionMistake) {
      try OpenGate.current.withLock { gate throws(OptionMistake) in
        guard var options = gate.asked else { return }
        let before = options
        try orders.change(&options)
        if options != before { gate.turn(to: options) }
      }
      return orders.wantsSnapshot
    } catch {
      StandardError.note("orders for \(trace): \(error.message)")
      return false
    }
  }

  private func path(_ number: Int) -> String {
    TraceControl.path(ofOrders: number, forTraceAt: trace)
  }

  /// Returns the paths of waiting orders, possibly including files of other users.
  private func paths() -> [String] {
    (1...TraceControl.most).lazy.map { path($0) }.prefix { isThere($0) }.map { $0 }
  }

  private func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Opens orders of this user. Other users may have permission to put files into the folder; these
  /// are left alone.
  private func openOrders(_ path: String) -> Int32? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid()
    else {
      close(file)
      return nil
    }
    return file
  }

  /// Takes orders, if they belong to this user.
  private func take(_ path: String) -> String? {
    guard let seen = openOrders(path) else { return nil }
    close(seen)
    // The file there now may not be the one that was checked.
    guard rename(path, taken) == 0, let file = openOrders(taken) else { return nil }
    defer { close(file) }
    unlink(taken)
    let bytes = [UInt8](unsafeUninitializedCapacity: TraceControl.longest) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
