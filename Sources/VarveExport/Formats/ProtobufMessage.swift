/// A message in protobuf's wire format: numbered fields, one after the other.
struct ProtobufMessage {
  private(set) var bytes: [UInt8] = []

  init() {}

  init(_ fill: (inout ProtobufMessage) -> Void) { fill(&self) }

  mutating func add(_ field: Int, _ number: UInt64) {
    bytes.append(varint: UInt64(field) << 3)
    bytes.append(varint: number)
  }

  mutating func add(_ field: Int, _ text: String) { add(field, Array(text.utf8)) }

  mutating func add(_ field: Int, _ message: ProtobufMessage) { add(field, message.bytes) }

  mutating func add(_ field: Int, fixed number: UInt64) {
    bytes.append(varint: UInt64(field) << 3 | 1)
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  /// Adds the fields of another message to this one.
  mutating func append(_ other: UnsafeBufferPointer<UInt8>) { bytes += other }

  mutating func add(_ field: Int, _ content: [UInt8]) {
    bytes.append(varint: UInt64(field) << 3 | 2)
    bytes.append(varint: UInt64(content.count))
    bytes += content
  }
}

extension Pen {
  @inline(__always)
  mutating func put(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      put(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    put(UInt8(truncatingIfNeeded: rest))
  }

  @inline(__always)
  mutating func put(field: Int, _ number: UInt64) {
    put(varint: UInt64(field) << 3)
    put(varint: number)
  }

  @inline(__always)
  mutating func put(field: Int, fixed number: UInt64) {
    put(varint: UInt64(field) << 3 | 1)
    UnsafeMutableRawPointer(at).storeBytes(of: number.littleEndian, as: UInt64.self)
    at += 8
  }

  /// Writes a text of at most `most` bytes; the rest is left out.
  mutating func put(field: Int, _ text: String, most: Int) {
    var text = text
    text.withUTF8 { put(field, UnsafeBufferPointer(rebasing: $0.prefix(most))) }
  }

  @inline(__always)
  mutating func put(_ field: Int, _ text: UnsafeBufferPointer<UInt8>) {
    put(varint: UInt64(field) << 3 | 2)
    put(varint: UInt64(text.count))
    put(text)
  }

  /// Writes a field whose content has less than 128 bytes.
  @inline(__always)
  mutating func put(_ field: Int, _ fill: (inout Pen) -> Void) {
    put(varint: UInt64(field) << 3 | 2)
    let length = at
    at += 1
    fill(&self)
    length.pointee = UInt8(truncatingIfNeeded: at - length - 1)
  }
}

/// Writes a packet of Perfetto's format into a buffer, and the lengths that precede its parts
/// afterwards: a varint may have more bytes than it needs.
struct PacketPen {
  /// The number of bytes of a text that is kept: lengths have three bytes.
  static let mostText = 1 << 16
  private static let lengthBytes = 3

  var pen: Pen
  private let start: UnsafeMutablePointer<UInt8>
  private var event: UnsafeMutablePointer<UInt8>

  /// Begins a packet in which texts take `room` bytes.
  init(_ pen: Pen, room: Int) {
    self.pen = pen
    self.pen.reserve(2_048 + room)
    self.pen.put(varint: 1 << 3 | 2)
    start = self.pen.at
    self.pen.at += Self.lengthBytes
    event = start
  }

  mutating func beginEvent(_ field: Int) {
    pen.put(varint: UInt64(field) << 3 | 2)
    event = pen.at
    pen.at += Self.lengthBytes
  }

  /// Writes the lengths.
  mutating func end() {
    fill(event)
    fill(start)
  }

  private func fill(_ place: UnsafeMutablePointer<UInt8>) {
    var rest = pen.at - place - Self.lengthBytes
    for index in 0..<Self.lengthBytes {
      place[index] = UInt8(rest & 0x7f) | (index < Self.lengthBytes - 1 ? 0x80 : 0)
      rest >>= 7
    }
  }

  /// Writes an annotation with the number of its name.
  @inline(__always)
  mutating func annotation(_ name: UInt64, _ fill: (inout Pen) -> Void) {
    pen.put(varint: 4 << 3 | 2)
    let place = pen.at
    pen.at += Self.lengthBytes
    pen.put(field: 1, name)
    fill(&pen)
    self.fill(place)
  }

  /// Writes an annotation that takes less than 128 bytes.
  @inline(__always)
  mutating func short(_ name: UInt64, _ fill: (inout Pen) -> Void) {
    pen.put(4) {
      $0.put(field: 1, name)
      fill(&$0)
    }
  }

  /// Writes an arrow that ends here and leaves its beginning to others.
  mutating func cause(_ arrow: UInt64) {
    pen.put(6) {
      $0.put(field: 8, arrow)
      $0.put(field: 13, 1)
    }
  }
}
