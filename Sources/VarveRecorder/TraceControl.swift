internal import CVarveSystem
internal import VarveFormat
internal import VarvePlatform

/// Files beside the trace, `run.varve-control-1`, `-2`, …, by which somebody outside the program says
/// what is recorded from now on, or asks for a snapshot. The drain thread looks for them once a
/// second, does as they say, one after the other, and removes them.
///
/// Whoever leaves orders, and whoever takes them, holds a lock on the sidecar meanwhile. So the
/// numbers are the order in which they were given, and none is lost.
package enum TraceControl {
  /// What the names of files with orders begin with.
  package static func path(ofTraceAt path: String) -> String { path + "-control" }

  /// Where one of the orders that wait lies, counted from 1.
  package static func path(ofOrders number: Int, forTraceAt path: String) -> String {
    "\(Self.path(ofTraceAt: path))-\(number)"
  }

  /// Orders that may wait at one time.
  static let most = 1_000
  /// Bytes of orders that are left together.
  static let longest = 65_536

  /// Leaves orders for the process that records a trace, behind those that wait already.
  ///
  /// - Throws: an `OptionMistake` when the orders would not be understood, a `TraceFileError` when
  ///   nobody records the trace, when no more orders can wait, or when the file cannot be made.
  package static func send(_ orders: String, toTraceAt path: String) throws {
    var options = Recorder.Options()
    try Orders(orders).change(&options)
    guard orders.utf8.count <= longest else {
      throw OptionMistake(message: "so many orders cannot be given at once: \(longest) bytes can")
    }
    try checkIsRecorded(path)
    let turn = try OrdersTurn(ofTraceAt: path)
    defer { turn.end() }
    // The recording may have been stopped while others had their turn.
    try checkIsRecorded(path)
    try leave(orders, forTraceAt: path, of: turn.owner)
  }

  private static func checkIsRecorded(_ path: String) throws(TraceFileError) {
    guard let writer = try Sidecar.writer(ofTraceAt: path), writer.isRecording else {
      throw TraceFileError(.wrongUse, "nobody is recording to \(path)")
    }
  }

  /// Makes the whole file under another name first: nobody reads half of it.
  private static func leave(
    _ orders: String, forTraceAt path: String, of owner: uid_t
  ) throws(TraceFileError) {
    let part = Self.path(ofTraceAt: path) + "-next"
    // What an earlier call has left, or a link that leads elsewhere.
    unlink(part)
    let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .refused("make \(part)", errno) }
    defer { unlink(part) }
    var text = orders
    errno = 0
    let isWritten =
      text.withUTF8 { write(file, $0.baseAddress, $0.count) == $0.count }
      // Who records takes orders of its own user alone.
      && (owner == geteuid() || fchown(file, owner, gid_t.max) == 0)
    let error = errno == 0 ? ENOSPC : errno
    close(file)
    guard isWritten else { throw .refused("write \(part)", error) }
    for number in 1...most {
      let target = Self.path(ofOrders: number, forTraceAt: path)
      // Never in the place of what is there, whoever has put it there.
      if place(part, at: target) { return }
      guard errno == EEXIST else { throw .refused("make \(target)", errno) }
    }
    throw TraceFileError(.wrongUse, "\(most) orders wait already beside \(path)")
  }

  /// Gives a file another name that is free. Some file systems have no links; there whoever leaves
  /// orders looks first, which is enough as long as it has its turn.
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

/// The lock of those who leave and take orders: on a byte of the sidecar, and on all of it where the
/// system does not lock bytes for an open file.
enum OrdersLock {
  /// Takes it; false, with `errno`, while somebody else has it.
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

/// The turn of one who leaves orders.
private struct OrdersTurn {
  private let sidecar: Int32
  /// The user who records.
  let owner: uid_t

  /// Waits for the turn: others take moments.
  init(ofTraceAt path: String) throws(TraceFileError) {
    for _ in 0..<1_000 {
      // Some file systems lock only what may be written.
      let sidecar = open(Sidecar.path(ofTraceAt: path), O_RDWR | O_CLOEXEC)
      guard sidecar >= 0 else { throw .refused("open the sidecar of \(path)", errno) }
      if OrdersLock.take(sidecar) {
        var (locked, named) = (stat(), stat())
        // Another recording may have begun meanwhile, whose sidecar is another file.
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

/// What somebody outside has said.
struct Orders {
  /// What is to be recorded otherwise; empty when nothing was said of it.
  private var changes: [OptionText] = []
  /// Whether a snapshot is wanted.
  var wantsSnapshot = false

  init(_ text: String) {
    let parts = text.split { $0 == "," || $0.isNewline }
    changes = parts.filter { $0 != "snapshot" }.map { OptionText($0) }
    wantsSnapshot = changes.count < parts.count
  }

  /// Changes what is asked at present by what was said, and nothing else: above all what is private
  /// stays private.
  func change(_ options: inout Recorder.Options) throws(OptionMistake) {
    // Which streams are recorded is one question, whose answer takes the place of the earlier one.
    let names = Set(changes.map(\.name))
    if !names.isDisjoint(with: ["streams", "include", "exclude", "sample"]) {
      options.selection.included = []
      options.selection.excluded = []
      options.selection.samplings = []
    }
    for change in changes { try options.obey(change) }
  }
}

/// Looks for orders. On the drain thread.
struct ControlWatch {
  private let trace: String
  /// Where orders lie while they are read: what is read and what is removed are one file.
  private let taken: String
  private var latestLook: UInt64 = 0

  /// Less than the drain thread's period, so that it looks whenever it wakes after one.
  private static let pause: UInt64 = 250_000_000

  init(ofTraceAt path: String) {
    trace = path
    taken = TraceControl.path(ofTraceAt: path) + "-taken"
  }

  /// Removes orders that were meant for an earlier recording: what they asked for, this one was
  /// not asked for. And in the end those that came too late.
  func clear() {
    for path in [taken] + paths().reversed() {
      guard let file = openOrders(path) else { continue }
      close(file)
      unlink(path)
    }
  }

  /// Does as somebody has said since, if it is time to look; true when a snapshot is wanted.
  mutating func obey(now: UInt64, besides sidecar: LiveSidecar) -> Bool {
    guard now - latestLook >= Self.pause else { return false }
    latestLook = now
    guard isThere(path(1)), sidecar.beginTurn() else { return false }
    defer { sidecar.endTurn() }
    return obeyWhatWaits()
  }

  /// Does as was said until now, at the end of a recording: whoever has orders from now on waits for
  /// the turn and then finds that nobody records.
  func obeyLast(besides sidecar: LiveSidecar) -> Bool {
    var tries = 0
    while !sidecar.beginTurn(), tries < 100 {
      usleep(10_000)
      tries += 1
    }
    return obeyWhatWaits()
  }

  private func obeyWhatWaits() -> Bool {
    // The latest first: what a process leaves that is killed meanwhile has no gap in its numbers,
    // and the next recording finds all of it.
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

  /// Where orders wait, and perhaps what others have put there.
  private func paths() -> [String] {
    (1...TraceControl.most).lazy.map { path($0) }.prefix { isThere($0) }.map { $0 }
  }

  private func isThere(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Opens orders of this user's. Others may have the right to put files into the folder; what they
  /// put there is left alone.
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

  /// Takes orders, if they are this user's.
  private func take(_ path: String) -> String? {
    guard let seen = openOrders(path) else { return nil }
    close(seen)
    // What lies there now may be others than those that were seen.
    guard rename(path, taken) == 0, let file = openOrders(taken) else { return nil }
    defer { close(file) }
    unlink(taken)
    let bytes = [UInt8](unsafeUninitializedCapacity: TraceControl.longest) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
