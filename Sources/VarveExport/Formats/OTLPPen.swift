internal import VarveFormat

/// A pen for what OTLP consists of, in one of its two encodings.
struct OTLPPen {
  /// The encodings.
  enum Encoding { case json, protobuf }

  /// The fields of protobuf that hold attributes: of a resource, an event, and a span.
  enum Owner: UInt64 {
    case resource = 1
    case event = 3
    case span = 9
  }

  var pen: Pen
  private let encoding: Encoding
  private let owner: Owner
  /// Whether no attribute was written yet.
  private var isFirst: Bool

  /// The room for an attribute without its text.
  static let room = 128
  /// The bytes of a length, written after what it counts: a varint may be longer than needed.
  private static let lengthBytes = 4

  init(_ pen: Pen, _ encoding: Encoding, _ owner: Owner, isFirst: Bool = true) {
    self.pen = pen
    self.encoding = encoding
    self.owner = owner
    self.isFirst = isFirst
  }

  // MARK: - Attributes

  /// Writes an attribute, and makes room for it.
  mutating func attribute(_ key: StaticString, _ text: String) {
    var text = text
    text.withUTF8 {
      pen.extend(by: Self.room + JSONText.mostBytes($0.count))
      attribute(key, $0)
    }
  }

  /// Writes an attribute for which there is room. For protobuf, the text has to be valid UTF-8.
  mutating func attribute(_ key: StaticString, _ text: UnsafeBufferPointer<UInt8>) {
    if encoding == .json {
      begin(key, "\"stringValue\":")
      JSONText.write(text, to: &pen)
      return pen.put("}}")
    }
    begin(key, 1 + Self.size(UInt64(text.count)) + text.count)
    pen.put(1, text)
  }

  mutating func attribute(_ key: StaticString, _ number: Int64) {
    if encoding == .json {
      begin(key, "\"intValue\":\"")
      pen.put(decimal: number)
      return pen.put("\"}}")
    }
    let bits = UInt64(bitPattern: number)
    begin(key, 1 + Self.size(bits))
    pen.put(field: 3, bits)
  }

  mutating func attribute(_ key: StaticString, _ real: Double) {
    if encoding == .json {
      begin(key, "\"doubleValue\":")
      pen.put(text: RealText.json(real))
      return pen.put("}}")
    }
    begin(key, 9)
    pen.put(field: 4, fixed: real.bitPattern)
  }

  mutating func attribute(_ key: StaticString, _ flag: Bool) {
    if encoding == .json {
      begin(key, "\"boolValue\":")
      pen.put(flag ? "true" : "false")
      return pen.put("}}")
    }
    begin(key, 2)
    pen.put(field: 2, flag ? 1 : 0)
  }

  /// Writes the name of an event as an attribute.
  mutating func attribute(_ key: StaticString, _ event: EventName) {
    if encoding == .json {
      begin(key, "\"stringValue\":\"")
      pen.put(event)
      return pen.put("\"}}")
    }
    let recording = UInt64(EventName.recording(event.ring))
    let count =
      1 + Pen.digits(of: UInt64(event.ring & EventName.ringBits)) + Pen.digits(of: event.sequence)
      + (recording == 0 ? 0 : 1 + Pen.digits(of: recording))
    begin(key, 2 + count)
    pen.put(varint: 1 << 3 | 2)
    pen.put(varint: UInt64(count))
    pen.put(event)
  }

  @inline(__always)
  private mutating func begin(_ key: StaticString, _ value: StaticString) {
    if !isFirst { pen.put(UInt8(ascii: ",")) }
    isFirst = false
    pen.put("{\"key\":\"")
    pen.put(key)
    pen.put("\",\"value\":{")
    pen.put(value)
  }

  /// Begins an attribute whose value, an `AnyValue`, has `count` bytes.
  @inline(__always)
  private mutating func begin(_ key: StaticString, _ count: Int) {
    let name = key.utf8CodeUnitCount
    pen.put(varint: owner.rawValue << 3 | 2)
    pen.put(varint: UInt64(2 + name + 1 + Self.size(UInt64(count)) + count))
    pen.put(varint: 1 << 3 | 2)
    pen.put(varint: UInt64(name))
    pen.put(key)
    pen.put(varint: 2 << 3 | 2)
    pen.put(varint: UInt64(count))
  }

  /// Returns the number of bytes of a varint.
  @inline(__always)
  private static func size(_ number: UInt64) -> Int {
    number == 0 ? 1 : (70 - number.leadingZeroBitCount) / 7
  }

  // MARK: - Messages

  /// Begins a message in an output that keeps what is written; returns the place of its length.
  mutating func begin(message field: UInt64) -> Int {
    pen.put(varint: field << 3 | 2)
    pen.at += Self.lengthBytes
    return pen.output.offset(of: pen)
  }

  /// Ends a message, and writes its length.
  mutating func end(message start: Int) {
    let offset = pen.output.offset(of: pen)
    let place = pen.at - (offset - start) - Self.lengthBytes
    var rest = offset - start
    for index in 0..<Self.lengthBytes {
      place[index] = UInt8(rest & 0x7f) | (index < Self.lengthBytes - 1 ? 0x80 : 0)
      rest >>= 7
    }
  }

  // MARK: - Ids

  /// Writes the 16 digits of a number.
  @inline(__always)
  mutating func put(hex number: UInt64) {
    for index in 0..<16 {
      let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index)) & 15
      pen.put(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }

  /// Writes the eight bytes of a number.
  @inline(__always)
  mutating func put(bytes number: UInt64) {
    UnsafeMutableRawPointer(pen.at).storeBytes(of: number.bigEndian, as: UInt64.self)
    pen.at += 8
  }

  /// Writes a moment in JSON.
  @inline(__always)
  mutating func put(moment: UInt64) {
    pen.put(UInt8(ascii: "\""))
    pen.put(decimal: moment)
    pen.put(UInt8(ascii: "\""))
  }
}
