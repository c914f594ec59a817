import CVarveSystem
import VarveFormat
import VarveProbe

/// Records of one thread, collected until they fill a block.
struct MilledRing {
  /// Where an event comes from.
  enum Cause {
    case none
    /// An event of the same thread, by its number.
    case here(UInt64)
    /// An event of another thread.
    case there(ring: UInt32, UInt64)
  }

  /// What an event carries.
  enum Payload {
    case none
    case word(PayloadKind, UInt64)
    case text(String)
  }

  private static let most = 16_384
  private static let largest = 128

  let ring: UInt32
  /// The number of the last record.
  private(set) var sequence: UInt64 = 0
  private var first: UInt64 = 1
  private var bytes = 0
  private let base: UnsafeMutableRawPointer

  init(_ ring: UInt32) {
    self.ring = ring
    base = .allocate(byteCount: Self.most * Self.largest, alignment: 8)
  }

  func deallocate() { base.deallocate() }

  var isFull: Bool { sequence + 1 - first == UInt64(Self.most) }

  /// Writes the records into a trace.
  mutating func flush(to writer: TraceWriter) throws {
    guard bytes > 0 else { return }
    try writer.append(
      records: UnsafeRawBufferPointer(start: base, count: bytes), ring: ring, firstSequence: first)
    (first, bytes) = (sequence + 1, 0)
  }

  /// Adds a record; there must be room.
  mutating func add(
    _ kind: RecordKind, _ stream: UInt32, _ subscription: UInt64, at tick: UInt64, _ cause: Cause,
    _ payload: Payload
  ) {
    sequence += 1
    let record = base + bytes
    let head = Int(VV_RECORD_HEAD_BYTES)
    var size = head
    var form = PayloadKind.absent
    switch payload {
    case .none: break
    case .word(let kind, let word):
      form = kind
      record.storeBytes(of: word, toByteOffset: head, as: UInt64.self)
      size += 8
    case .text(var text):
      form = .string
      text.withUTF8 { text in
        record.storeBytes(of: UInt32(text.count), toByteOffset: head, as: UInt32.self)
        record.storeBytes(of: UInt32(text.count), toByteOffset: head + 4, as: UInt32.self)
        let room = (text.count + 7) & ~7
        (record + head + 8).initializeMemory(as: UInt8.self, repeating: 0, count: room)
        if let start = text.baseAddress {
          (record + head + 8).copyMemory(from: start, byteCount: text.count)
        }
        size += 8 + room
      }
    }
    var (back, far): (UInt32, UInt8) = (0, 0)
    switch cause {
    case .none: break
    case .here(let event): back = UInt32(sequence - event)
    case .there(let ring, let event):
      (back, far) = (.max, 1)
      record.storeBytes(of: UInt64(ring) << 40 | event, toByteOffset: size, as: UInt64.self)
      size += 8
    }
    record.storeBytes(of: UInt8(size / 8), as: UInt8.self)
    record.storeBytes(of: kind.rawValue, toByteOffset: 1, as: UInt8.self)
    record.storeBytes(of: form.rawValue, toByteOffset: 2, as: UInt8.self)
    record.storeBytes(of: far, toByteOffset: 3, as: UInt8.self)
    record.storeBytes(of: stream, toByteOffset: 4, as: UInt32.self)
    record.storeBytes(of: tick, toByteOffset: 8, as: UInt64.self)
    record.storeBytes(of: UInt32(truncatingIfNeeded: sequence), toByteOffset: 16, as: UInt32.self)
    record.storeBytes(of: back, toByteOffset: 20, as: UInt32.self)
    record.storeBytes(of: subscription, toByteOffset: 24, as: UInt64.self)
    bytes += size
  }
}
