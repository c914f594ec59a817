/// A structure in the compact protocol of Apache Thrift, in which Parquet describes itself.
struct ThriftStruct {
  private enum Kind: UInt8 {
    case yes = 1, no, byte, short, integer, long, real, binary, list, set, map, structure
  }

  private(set) var bytes: [UInt8] = []
  private var last: UInt8 = 0

  init() {}

  init(_ fill: (inout ThriftStruct) -> Void) { fill(&self) }

  mutating func add(_ field: UInt8, _ isTrue: Bool) { begin(field, isTrue ? .yes : .no) }

  mutating func add(_ field: UInt8, byte: UInt8) {
    begin(field, .byte)
    bytes.append(byte)
  }

  mutating func add(_ field: UInt8, _ number: Int32) {
    begin(field, .integer)
    bytes.append(zigzag: Int64(number))
  }

  mutating func add(_ field: UInt8, _ number: Int64) {
    begin(field, .long)
    bytes.append(zigzag: number)
  }

  mutating func add(_ field: UInt8, _ text: String) { add(field, Array(text.utf8)) }

  mutating func add(_ field: UInt8, _ content: [UInt8]) {
    begin(field, .binary)
    bytes.append(varint: UInt64(content.count))
    bytes += content
  }

  mutating func add(_ field: UInt8, _ structure: ThriftStruct) {
    begin(field, .structure)
    bytes += structure.bytes + [0]
  }

  mutating func add(_ field: UInt8, _ structures: [ThriftStruct]) {
    begin(field, structures.count, .structure)
    for structure in structures { bytes += structure.bytes + [0] }
  }

  mutating func add(_ field: UInt8, _ numbers: [Int32]) {
    begin(field, numbers.count, .integer)
    for number in numbers { bytes.append(zigzag: Int64(number)) }
  }

  mutating func add(_ field: UInt8, _ texts: [String]) {
    begin(field, texts.count, .binary)
    for text in texts {
      bytes.append(varint: UInt64(text.utf8.count))
      bytes += Array(text.utf8)
    }
  }

  private mutating func begin(_ field: UInt8, _ kind: Kind) {
    bytes.append((field - last) << 4 | kind.rawValue)
    last = field
  }

  private mutating func begin(_ field: UInt8, _ count: Int, _ kind: Kind) {
    begin(field, .list)
    if count < 15 {
      bytes.append(UInt8(count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xf0 | kind.rawValue)
      bytes.append(varint: UInt64(count))
    }
  }
}

extension [UInt8] {
  mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func append(zigzag number: Int64) {
    append(varint: UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  mutating func append(little number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
