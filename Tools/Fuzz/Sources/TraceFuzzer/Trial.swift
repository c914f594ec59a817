import VarveAnalysis
import VarveFormat

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Brings an input to where a reader finds it, and looks at what comes of it.
final class Trial: @unchecked Sendable {
  // Safety: libFuzzer tries one input at a time, on one thread.
  static let shared = Trial()

  /// The id of the trace that a sidecar's input lies beside, and of those that are made up.
  let id = TraceID(low: 1, high: 2)
  /// Where traces may be written to.
  let scratch: String
  private let folder: String
  private let path: String
  private var sound: [UInt8] = []

  private init() {
    let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(place)/varve-fuzz-XXXXXX".utf8CString)
    folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    path = folder + "/run.varve"
    scratch = folder + "/made.varve"
    atexit { Trial.shared.clean() }
  }

  private func clean() {
    let names = ["run.varve", "run.varve-live", "made.varve", "made.varve-next"]
    for name in names { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  // MARK: - What is read

  func read(_ bytes: UnsafeRawBufferPointer, _ way: Way) {
    write(bytes, to: path)
    guard let reader = try? TraceReader(path: path) else { return }
    way.take(reader)
  }

  func readSidecar(_ bytes: UnsafeRawBufferPointer, _ way: Way) {
    if sound.isEmpty {
      var chance = Chance(seed: 3)
      while sound.count < 700 { sound = FreshInput.trace(&chance) }
    }
    sound.withUnsafeBytes { write($0, to: path) }
    let sidecar = path + "-live"
    let file = open(sidecar, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let size = SidecarInput.expand(bytes) { part, offset in
      guard !part.isEmpty else { return }
      let count = pwrite(file, part.baseAddress, part.count, off_t(offset))
      demand(count == part.count, "there is no room for a sidecar")
    }
    ftruncate(file, off_t(size))
    close(file)
    defer { unlink(sidecar) }
    guard let reader = try? TraceReader(path: path) else { return }
    way.take(reader)
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
      demand(isRead && columns.count == extent.count, "what was checked cannot be read")
    }
  }

  static func readDefinitions(_ bytes: UnsafeRawBufferPointer) {
    var definitions = TraceDefinitions()
    let extent = DefinitionLog.read(bytes) { definitions.insert($0) }
    demand(extent.bytes <= bytes.count, "the log ends behind its end")
    // What was read can be written, and is the same when it is read again.
    var again: [UInt8] = []
    for stream in definitions.streams.values { DefinitionCodec.append(.stream(stream), to: &again) }
    again.withUnsafeBytes { log in
      _ = DefinitionLog.read(log) { definition in
        guard case .stream(let stream) = definition else { return }
        demand(definitions.streams[stream.id] == stream, "a stream has changed")
      }
    }
  }

  // MARK: - What is written

  /// What was repaired is intact, and holds what could be read before.
  func repair(_ reader: TraceReader) {
    guard let outcome = try? TraceRepair.write(reader, to: scratch, replacing: true) else {
      return
    }
    guard let again = try? TraceReader(path: scratch),
      let whole = try? TraceVerification(again)
    else { stop("what was repaired cannot be read") }
    demand(outcome.events == again.events, "repairing has counted wrongly")
    // What a later version packed is kept unseen, and lies in headers and definitions with it.
    let known = ["header", "definition", "later version"]
    let lies = whole.damage.filter { damage in
      !known.contains { damage.reason.contains($0) }
    }
    demand(lies.isEmpty, "what was repaired is damaged: \(lies)")
  }

  func scrub(_ reader: TraceReader) {
    _ = try? TraceScrub.write(reader, to: scratch, replacing: true)
  }

  func merge(_ reader: TraceReader) {
    let outcome = try? TraceMerge.write([reader, reader], to: scratch, replacing: true)
    guard outcome != nil else { return }
    guard let again = try? TraceReader(path: scratch), let damage = try? again.verify() else {
      stop("what was merged cannot be read")
    }
    demand(damage.isEmpty, "what was merged is damaged: \(damage)")
  }

  /// The file again, cut in its middle and then to its end, as somebody sees it who follows it.
  func follow(_ reader: TraceReader) {
    let whole = Self.contents(of: path)
    whole.withUnsafeBytes { bytes in
      write(UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count * 2 / 3)), to: scratch)
    }
    guard let part = try? TraceReader(path: scratch) else { return }
    var follower = TraceFollower()
    var shown: UInt64 = 0
    func show(_ reader: TraceReader, upTo limit: UInt64?) {
      guard let fresh = try? follower.take([reader], upTo: limit),
        var query = try? EventQuery(Selection(), in: fresh, columns: .all)
      else { return }
      query.run { _ in true }
      shown += query.count
    }
    show(part, upTo: part.blocks.last.map { $0.ticks.lowerBound / 2 + $0.ticks.upperBound / 2 })
    whole.withUnsafeBytes { write($0, to: scratch) }
    guard let grown = try? part.refreshed() else { return }
    show(grown, upTo: nil)
    show(grown, upTo: nil)
    let all = max(grown.events, part.events)
    demand(shown <= all, "who follows a trace has seen \(shown) events of \(all)")
  }

  // MARK: - Files

  private func write(_ bytes: UnsafeRawBufferPointer, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    let count = Glibc.write(file, bytes.baseAddress, bytes.count)
    demand(count == bytes.count, "there is no room for an input")
  }

  static func contents(of path: String) -> [UInt8] {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    let size = Int(max(0, lseek(file, 0, SEEK_END)))
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, size, 0))
    }
  }
}
