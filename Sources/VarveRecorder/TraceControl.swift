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
    _ = try Orders(orders)
    guard let writer = try Sidecar.writer(ofTraceAt: path), writer.isRunning else {
      throw TraceFileError(.wrongUse, "nobody is recording to \(path)")
    }
    let target = Self.path(ofTraceAt: path)
    let part = target + "-next"
    let file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
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
  /// What is recorded from now on; nil when nothing was said of it.
  var options: Recorder.Options?
  /// Whether a snapshot is wanted.
  var wantsSnapshot = false

  init(_ text: String) throws(OptionMistake) {
    let parts = text.split { $0 == "," || $0.isNewline }
    let asked = parts.filter { $0 != "snapshot" }
    wantsSnapshot = asked.count < parts.count
    if !asked.isEmpty { options = try Recorder.Options(text: asked.joined(separator: ",")) }
  }
}

/// Looks for orders. On the drain thread.
struct ControlWatch {
  private let path: String
  private var nextLook: UInt64 = 0

  private static let pause: UInt64 = 1_000_000_000
  private static let longest = 65_536

  init(ofTraceAt path: String) { self.path = TraceControl.path(ofTraceAt: path) }

  /// Does as somebody has said since, if it is time to look; true when a snapshot is wanted.
  mutating func obey(now: UInt64) -> Bool {
    guard now >= nextLook else { return false }
    nextLook = now + Self.pause
    guard let text = take() else { return false }
    do throws(OptionMistake) {
      let orders = try Orders(text)
      if let options = orders.options {
        OpenGate.current.withLock { $0.turn(to: options) }
      }
      return orders.wantsSnapshot
    } catch {
      Complaint.tell("\(path): \(error.message)")
      return false
    }
  }

  private func take() -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    unlink(path)
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.longest) { buffer, count in
      count = max(0, read(file, buffer.baseAddress, buffer.count))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
