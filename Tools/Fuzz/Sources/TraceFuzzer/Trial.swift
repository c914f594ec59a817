import VarveAnalysis
import VarveExport
import VarveFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Reads an input in every way that there is.
final class Trial: @unchecked Sendable {
  // Safety: libFuzzer tries one input at a time, on one thread.
  static let shared = Trial()

  private let folder: String
  private let path: String
  private let repaired: String
  private let sound: [UInt8]

  private init() {
    let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(place)/varve-fuzz-XXXXXX".utf8CString)
    folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    path = folder + "/run.varve"
    repaired = folder + "/repaired.varve"
    sound = Self.emptyTrace(at: path)
    atexit { Trial.shared.clean() }
  }

  private func clean() {
    for name in ["run.varve", "run.varve-live", "repaired.varve"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  /// A trace that a sidecar may lie beside.
  private static func emptyTrace(at path: String) -> [UInt8] {
    let process = ProcessDescription(program: "p", arguments: [], pid: 1, host: "h", started: 1)
    let header = TraceHeader(
      id: TraceID(low: 1, high: 2), process: process, clock: .monotonic,
      anchor: ClockAnchor(ticks: 0, monotonic: 0))
    guard (try? TraceWriter(creating: path, header: header)) != nil else { return [] }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let file = open(path, O_RDONLY)
    defer { close(file) }
    let count = Glibc.read(file, &bytes, bytes.count)
    return Array(bytes.prefix(max(count, 0)))
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    let count = Glibc.write(file, bytes.baseAddress, bytes.count)
    precondition(count == bytes.count, "there is no room for an input")
  }

  // MARK: - What is read

  func read(_ bytes: UnsafeRawBufferPointer) {
    write(bytes, to: path)
    readAll()
  }

  func readSidecar(_ bytes: UnsafeRawBufferPointer) {
    sound.withUnsafeBytes { write($0, to: path) }
    write(bytes, to: path + "-live")
    readAll()
    unlink(path + "-live")
  }

  static func readRecords(_ bytes: UnsafeRawBufferPointer) {
    // As in a ring: aligned to eight bytes.
    var words = [UInt64](repeating: 0, count: bytes.count / 8)
    words.withUnsafeMutableBytes { $0.copyBytes(from: bytes.prefix($0.count)) }
    words.withUnsafeBytes { records in
      let first =
        records.count > 20 ? UInt64(records.loadUnaligned(fromByteOffset: 16, as: UInt32.self)) : 1
      let extent = RingRecords.check(records, firstSequence: first)
      var columns = EventColumns()
      let part = UnsafeRawBufferPointer(rebasing: records[..<extent.bytes])
      let isRead =
        (try? RingRecords.decode(
          part, ring: 1, firstSequence: first, into: &columns, columns: .all)) != nil
      precondition(isRead && columns.count == extent.count, "what was checked cannot be read")
    }
  }

  static func readDefinitions(_ bytes: UnsafeRawBufferPointer) {
    var definitions = TraceDefinitions()
    let extent = DefinitionLog.read(bytes) { definitions.insert($0) }
    precondition(extent.bytes <= bytes.count, "the log ends behind its end")
    // What was read can be written, and is the same when it is read again.
    var again: [UInt8] = []
    for stream in definitions.streams.values { DefinitionCodec.append(.stream(stream), to: &again) }
    again.withUnsafeBytes { log in
      _ = DefinitionLog.read(log) { definition in
        guard case .stream(let stream) = definition else { return }
        precondition(definitions.streams[stream.id] == stream, "a stream has changed")
      }
    }
  }

  private func readAll() {
    guard let reader = try? TraceReader(path: path) else { return }
    _ = TraceSummaryText(reader, style: .plain).text() + TraceSummaryJSON.text(reader)
    query(reader, Selection())
    var some = Selection()
    some.since = .part(0.3)
    some.until = .part(0.9)
    some.tail = 20
    query(reader, some)
    _ = try? StreamCensus(Selection(), in: reader)
    guard let found = try? TraceVerification(reader) else { return }
    repair(reader, found)
  }

  private func query(_ reader: TraceReader, _ selection: Selection) {
    let output = ByteOutput { _ in nil }
    guard var text = try? EventQuery(selection, in: reader, columns: .all) else { return }
    let lines = EventTextRenderer(
      source: reader, filter: text.filter, pid: 1, output: output)
    let json = EventJSONRenderer(source: reader, pid: 1, output: output)
    text.run { page in
      lines.render(page)
      json.render(page)
      return true
    }
  }

  /// What was repaired is intact, and holds what could be read before.
  private func repair(_ reader: TraceReader, _ found: TraceVerification) {
    guard let outcome = try? TraceRepair.write(reader, to: repaired, replacing: true) else {
      return
    }
    guard let again = try? TraceReader(path: repaired),
      let whole = try? TraceVerification(again)
    else { preconditionFailure("what was repaired cannot be read") }
    precondition(outcome.events == again.events, "repairing has counted wrongly")
    // What a later version packed is kept unseen, and lies in headers and definitions with it.
    let known = ["header", "definition", "later version"]
    let lies = whole.damage.filter { damage in
      !known.contains { damage.reason.contains($0) }
    }
    precondition(lies.isEmpty, "what was repaired is damaged: \(lies)")
    _ = try? TraceScrub.write(reader, to: repaired, replacing: true)
    _ = try? TraceMerge.write([reader, reader], to: repaired, replacing: true)
  }
}
