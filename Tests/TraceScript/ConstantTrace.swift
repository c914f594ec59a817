import VarveFormat
import VarvePlatform

/// A trace that no recorder writes: a hundred bytes a block, and each stands for as many events as a
/// block may hold, because all its columns are constant.
public enum ConstantTrace {
  /// When the first event of each block happened; the others follow tick by tick.
  public static let firstTick: UInt64 = 1_000

  /// Writes a trace of so many blocks, each of a thread of its own and all of one time.
  public static func write(to path: String, blocks: Int, events: Int) throws {
    let process = ProcessDescription(program: "p", arguments: [], pid: 1, host: "h", started: 1)
    let id = TraceID(low: 1, high: 2)
    _ = try TraceWriter(
      creating: path,
      header: TraceHeader(
        id: id, process: process, clock: .monotonic, anchor: ClockAnchor(ticks: 0, monotonic: 0)))
    let seed = checksum(little(id.low, 8) + little(id.high, 8), from: 0)
    var bytes: [UInt8] = []
    for ring in 1...blocks {
      bytes += block(ring: ring, events: events, first: 1 + (ring - 1) * events, seed: seed)
    }
    let file = open(path, O_WRONLY | O_APPEND)
    defer { close(file) }
    let written = bytes.withUnsafeBytes { Self.write(file, $0) }
    precondition(written == bytes.count, "there is no room for a trace")
  }

  private static func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    VarvePlatform.write(file, bytes.baseAddress, bytes.count)
  }

  /// A block as `Docs/Format.md` has it: values of stream 1 without payloads.
  private static func block(ring: Int, events: Int, first: Int, seed: UInt32) -> [UInt8] {
    // One shape, no texts, the first tick; then the columns of ticks, streams and kinds.
    let payload: [UInt8] = [1, 0, 0, 0, 1, 1, 1 << 2, 2, 1, 2 << 2, 3, 1, 4 << 2]
    var fields = little(UInt64(events), 4) + little(UInt64(ring), 4) + little(1, 8)
    fields += little(UInt64(first), 8) + little(firstTick, 8)
    fields += little(firstTick + UInt64(events) - 1, 8) + little(1 << 4, 8)
    fields += little(1, 2) + little(1 << 1, 8)
    var header: [UInt8] = [0xd6, 0x56, 0x42, 0x1a, 2, 2]
    header += little(UInt64(24 + fields.count), 2) + little(UInt64(events * 32), 4)
    header += little(UInt64(payload.count), 4)
    header += little(UInt64(checksum(payload, from: seed)), 4) + fields
    return header + little(UInt64(checksum(header, from: seed)), 4) + payload
  }

  private static func little(_ number: UInt64, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
  }

  private static func checksum(_ bytes: [UInt8], from seed: UInt32) -> UInt32 {
    var sum = ~seed
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
    }
    return ~sum
  }
}
