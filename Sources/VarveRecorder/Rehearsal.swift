internal import CVarveSystem
internal import Synchronization
internal import VarveFormat
internal import VarvePlatform
internal import VarveProbe

/// What the drain thread does before it lets anybody record: it writes a small trace of everything to
/// nowhere, once in a process and its children, so that nothing of it is done for the first time when
/// others are at work.
///
/// Swift's runtime makes a generic type when it is first used, under a lock, and on Linux the lock's
/// word is the owner's thread id, which each thread remembers. The thread that goes on in the child
/// of a fork remembers the id that it had in the parent. While it makes a type, another thread
/// that needs the same type waits for a thread of the parent, and neither of the two ever goes on
/// (`Docs/Decisions/0007-the-drain-thread-rehearses.md`).
enum Rehearsal {
  /// A child inherits what its parent has done.
  private static let isDone = Atomic(false)

  /// Writes the trace, unless that was done before.
  static func perform() {
    guard !isDone.load(ordering: .relaxed) else { return }
    // Where there is no such device, no file is to be made in its place.
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0, (try? writeTrace(to: nowhere)) != nil else { return }
    isDone.store(true, ordering: .relaxed)
  }

  private static func writeTrace(to descriptor: Int32) throws(TraceFileError) {
    let anchor = ClockAnchor(ticks: 1, monotonic: 1)
    let writer = try TraceWriter(
      descriptor: descriptor,
      header: TraceHeader(
        id: .random(), process: .current(Recorder.Options()), clock: .monotonic,
        anchor: anchor))
    var ring = vv_ring()
    try writer.append(definitions: [.thread(ThreadDefinition(&ring))])
    let records = UnsafeMutableRawBufferPointer.allocate(
      byteCount: count * recordBytes, alignment: 8)
    defer { records.deallocate() }
    fill(records)
    _ = try writer.append(
      blockOf: UnsafeRawBufferPointer(records), enough: records.count, ring: 1, firstSequence: 1)
    try writer.append(losses: [TraceLoss(ring: 1, count: 1, ticks: 1...1, reason: .noRoom)])
    try writer.append(anchor: anchor)
    try writer.finish(ending: .clean)
  }

  // MARK: - Records

  /// Enough for the encoder to sample.
  private static let count = 2_048
  private static let headBytes = Int(VV_RECORD_HEAD_BYTES)
  /// A head and a text of sixteen bytes with its lengths, or a number in its place.
  private static let recordBytes = headBytes + 24

  /// Numbers, texts that repeat and texts that do not.
  private static func fill(_ records: UnsafeMutableRawBufferPointer) {
    records.initializeMemory(as: UInt8.self, repeating: 0)
    let kinds: [PayloadKind] = [.integer, .real, .string, .description]
    for index in 0..<count {
      let kind = kinds[index % kinds.count]
      let number = UInt64(index)
      let at = index * recordBytes
      let head = vv_record(
        eights: UInt8(recordBytes / 8), kind: RecordKind.value.rawValue, payload: kind.rawValue,
        far_causes: 0, stream: 1 + UInt32(index % 3), ticks: number * 100,
        sequence: UInt32(index + 1), back: UInt32(index % 2), subscription: number % 5)
      records.storeBytes(of: head, toByteOffset: at, as: vv_record.self)
      let isText = PayloadLayout(kind.rawValue) == .text
      let first = isText ? 16 | 16 << 32 : kind == .real ? Double(index).bitPattern : number
      records.storeBytes(of: first, toByteOffset: at + headBytes, as: UInt64.self)
      let text = kind == .string ? number % 16 : number &* 0x9e37_79b9_7f4a_7c15
      records.storeBytes(of: isText ? text : 0, toByteOffset: at + headBytes + 8, as: UInt64.self)
    }
  }
}
