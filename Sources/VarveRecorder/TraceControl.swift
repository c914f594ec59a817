internal import CVarveSystem
internal import VarveFormat

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file beside the trace, `run.varve-control`, by which somebody outside the program says what is
/// recorded from now on, or asks for a snapshot. The drain thread looks for it once a second, does as
/// it says and removes it.
package enum TraceControl {
  /// Where the recording of a trace looks for orders.
  package static func path(ofTraceAt path: String) -> String { path + "-control" }

  /// Leaves orders for the process that records a trace. Orders that were left before and not taken
  /// yet are replaced.
  ///
  /// - Throws: an `OptionMistake` when the orders would not be understood, a `TraceFileError` when
  ///   nobody records the trace or the file cannot be made.
  package static func send(_ orders: String, toTraceAt path: String) throws {
    var options = Recorder.Options()
    try Orders(orders).change(&options)
    guard let writer = try Sidecar.writer(ofTraceAt: path), writer.isRunning else {
      throw TraceFileError(.wrongUse, "nobody is recording to \(path)")
    }
    let target = Self.path(ofTraceAt: path)
    let part = target + "-next"
    // What an earlier call has left, or a link that leads elsewhere.
    unlink(part)
    let file = open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TraceFileError.refused("make \(part)", errno) }
    var text = orders
    let isWritten = text.withUTF8 { write(file, $0.baseAddress, $0.count) == $0.count }
    close(file)
    guard isWritten, rename(part, target) == 0 else {
      let error = errno
      unlink(part)
      throw TraceFileError.refused("make \(target)", error)
    }
  }
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
  private let path: String
  /// Where orders lie while they are read: whoever gives new ones meanwhile takes nothing away.
  private let taken: String
  private var nextLook: UInt64 = 0

  private static let pause: UInt64 = 1_000_000_000
  private static let longest = 65_536

  init(ofTraceAt path: String) {
    self.path = TraceControl.path(ofTraceAt: path)
    taken = self.path + "-taken"
  }

  /// Removes orders that were meant for an earlier recording: what they asked for, this one was
  /// not asked for.
  func clear() {
    for path in [path, taken] {
      guard let file = openOrders(path) else { continue }
      close(file)
      unlink(path)
    }
  }

  /// Does as somebody has said since, if it is time to look; true when a snapshot is wanted.
  mutating func obey(now: UInt64) -> Bool {
    guard now >= nextLook else { return false }
    nextLook = now + Self.pause
    guard let text = take() else { return false }
    let orders = Orders(text)
    do throws(OptionMistake) {
      try OpenGate.current.withLock { gate throws(OptionMistake) in
        guard var options = gate.asked else { return }
        let before = options
        try orders.change(&options)
        if options != before { gate.turn(to: options) }
      }
      return orders.wantsSnapshot
    } catch {
      Complaint.tell("\(path): \(error.message)")
      return false
    }
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

  /// Takes orders, if somebody has left some.
  private func take() -> String? {
    guard let seen = openOrders(path) else { return nil }
    close(seen)
    // What lies there now may be others than those that were seen.
    guard rename(path, taken) == 0, let file = openOrders(taken) else { return nil }
    defer { close(file) }
    unlink(taken)
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.longest) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
