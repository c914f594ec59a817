/// Protobuf's wire format, as a reader that knows no names takes it apart.
struct WireMessage {
  struct Field {
    var number: Int
    var value: UInt64 = 0
    var bytes: [UInt8] = []
  }

  var fields: [Field] = []

  subscript(number: Int) -> [Field] { fields.filter { $0.number == number } }

  func text(_ number: Int) -> String? {
    self[number].first.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    func varint() -> UInt64 {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while let byte = rest.popFirst() {
        value |= UInt64(byte & 0x7f) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      return value
    }
    while !rest.isEmpty {
      let key = varint()
      var field = Field(number: Int(key >> 3))
      switch key & 7 {
      case 0: field.value = varint()
      case 1:
        field.value = rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
      default:
        let count = Int(varint())
        field.bytes = Array(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      fields.append(field)
    }
  }
}
