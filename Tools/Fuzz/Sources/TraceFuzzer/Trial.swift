import VarveAnalysis
import VarveFormat
import VarveProbe

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
    let names = [
      "run.varve", "run.varve-live", "made.varve", "made.varve-next", "other.varve", "same.varve",
    ]
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

  /// What was repaired holds what could be read before, and nothing is wrong with it that was not
  /// wrong before.
  func repair(_ reader: TraceReader) {
    guard
      let outcome = written({ () throws(TraceFileError) in
        try TraceRepair.write(reader, to: scratch, replacing: true)
      })
    else { return }
    guard let again = try? TraceReader(path: scratch),
      let whole = try? TraceVerification(again)
    else { stop("what was repaired cannot be read") }
    demand(outcome.events == again.events, "repairing has counted wrongly")
    guard !whole.damage.isEmpty else { return }
    // Blocks that hold no events are kept as they are, and those that a later version packed.
    var known = Set((try? TraceVerification(reader))?.damage.map(\.reason) ?? [])
    known.insert("a later version of Varve packed the block; update varve")
    let lies = whole.damage.filter { !known.contains($0.reason) }
    demand(lies.isEmpty, "what was repaired is damaged: \(lies)")
  }

  /// What was scrubbed is sound, holds as many events, and tells of no value.
  func scrub(_ reader: TraceReader) {
    guard
      let outcome = written({ () throws(TraceFileError) in
        try TraceScrub.write(reader, to: scratch, replacing: true)
      })
    else { return }
    guard let again = try? TraceReader(path: scratch), let damage = try? again.verify() else {
      stop("what was scrubbed cannot be read")
    }
    demand(damage.isEmpty, "what was scrubbed is damaged: \(damage)")
    demand(outcome.events == again.events, "scrubbing has counted wrongly")
    var columns = EventColumns()
    for index in again.blocks.indices {
      guard (try? again.decode(index, into: &columns, columns: .all)) != nil else { continue }
      for index in 0..<columns.count
      where columns.payloadKinds[index] != PayloadKind.typeOnly.rawValue {
        let isBare = columns.textStarts[index] == columns.textStarts[index + 1]
        demand(isBare, "text is left of what was scrubbed")
      }
    }
  }

  /// What was merged is sound: a trace with itself, with one of another process, and with another
  /// file of the same recording, before it and after it.
  func merge(_ reader: TraceReader) {
    let other = companions[Int(reader.bytes / 2 % UInt64(companions.count))]
    guard let companion = other.map({ try? TraceReader(path: $0) }) ?? reader else { return }
    let parts = reader.bytes % 2 == 0 ? [reader, companion] : [companion, reader]
    guard
      written({ () throws(TraceFileError) in
        try TraceMerge.write(parts, to: scratch, replacing: true)
      }) != nil
    else { return }
    guard let again = try? TraceReader(path: scratch), let damage = try? again.verify() else {
      stop("what was merged cannot be read")
    }
    demand(damage.isEmpty, "what was merged is damaged: \(damage)")
  }

  /// What `write` says; nil when it refuses for a reason that an input may give.
  private func written(
    _ write: () throws(TraceFileError) -> RewriteOutcome
  ) -> RewriteOutcome? {
    do throws(TraceFileError) {
      return try write()
    } catch {
      let mayBe: [TraceFileError.Code] = [.damaged, .newerVersion, .wrongUse, .notATrace]
      demand(mayBe.contains(error.code), "nothing was written: \(error)")
      return nil
    }
  }

  /// What an input is merged with: itself, one of another process, one of the same recording.
  private lazy var companions: [String?] = [
    nil, companion("other.varve", of: TraceID(low: 3, high: 4), pid: 7),
    companion("same.varve", of: id, pid: 1),
  ]

  private func companion(_ name: String, of id: TraceID, pid: UInt32) -> String {
    var chance = Chance(seed: UInt64(pid))
    var bytes: [UInt8] = []
    while bytes.count < 900 { bytes = FreshInput.trace(&chance, id: id, pid: pid) }
    let path = "\(folder)/\(name)"
    bytes.withUnsafeBytes { write($0, to: path) }
    return path
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
