import CVarveSystem
import VarveProbe

/// Memory for records of one size, which is filled again and again.
struct RecordBatch {
  static let startTick: UInt64 = 1_000_000_000

  private let base: UnsafeMutableRawPointer
  private let size: Int
  private let textBytes: Int
  private var tick = startTick

  /// Makes room for `capacity` records with a word each or, if `textBytes` is not 0, with a text of
  /// so many bytes.
  init(capacity: Int, textBytes: Int) {
    self.textBytes = textBytes
    let payload = textBytes == 0 ? 8 : 8 + (textBytes + 7) & ~7
    size = Int(VV_RECORD_HEAD_BYTES) + payload
    base = .allocate(byteCount: capacity * size, alignment: 8)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: capacity * size)
    let kind: PayloadKind = textBytes == 0 ? .integer : .string
    for index in 0..<capacity {
      let record = base + index * size
      record.storeBytes(of: UInt8(size / 8), as: UInt8.self)
      record.storeBytes(of: RecordKind.value.rawValue, toByteOffset: 1, as: UInt8.self)
      record.storeBytes(of: kind.rawValue, toByteOffset: 2, as: UInt8.self)
    }
  }

  func deallocate() { base.deallocate() }

  /// The first records.
  func bytes(of count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: count * size)
  }

  /// Makes a record of the event that comes `gap` ticks after the one that was set last.
  mutating func set(_ index: Int, sequence: UInt32, stream: UInt32, gap: UInt64, word: UInt64) {
    tick &+= gap
    let record = base + index * size
    record.storeBytes(of: stream, toByteOffset: 4, as: UInt32.self)
    record.storeBytes(of: tick, toByteOffset: 8, as: UInt64.self)
    record.storeBytes(of: sequence, toByteOffset: 16, as: UInt32.self)
    if textBytes == 0 {
      record.storeBytes(of: word, toByteOffset: 32, as: UInt64.self)
    } else {
      write(text: word, to: record)
    }
  }

  /// The number in digits at the end of a text.
  private func write(text number: UInt64, to record: UnsafeMutableRawPointer) {
    record.storeBytes(of: UInt32(textBytes), toByteOffset: 32, as: UInt32.self)
    record.storeBytes(of: UInt32(textBytes), toByteOffset: 36, as: UInt32.self)
    let text = (record + 40).assumingMemoryBound(to: UInt8.self)
    let start: StaticString = "item number "
    text.update(from: start.utf8Start, count: start.utf8CodeUnitCount)
    var rest = number
    for place in (start.utf8CodeUnitCount..<textBytes).reversed() {
      text[place] = 0x30 + UInt8(rest % 10)
      rest /= 10
    }
  }

  func tick(_ index: Int) -> UInt64 {
    (base + index * size).load(fromByteOffset: 8, as: UInt64.self)
  }

  func word(_ index: Int) -> UInt64 {
    textBytes == 0 ? (base + index * size).load(fromByteOffset: 32, as: UInt64.self) : 0
  }
}
