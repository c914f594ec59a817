/// What a collector answers to a request.
struct CollectorAnswer: Sendable {
  var status: Int
  /// How long to wait before the request is sent again, as it was written.
  var retryAfter: String?
  var body: [UInt8]

  /// The statuses after which OTLP has a client try again.
  var asksForRetry: Bool { [429, 502, 503, 504].contains(status) }

  /// The seconds that the collector asks to wait for; nil if it does not. Dates, which are rare and
  /// depend on two clocks, count as the usual time.
  var seconds: Double? {
    guard let retryAfter, let seconds = Double(retryAfter), seconds.isFinite, seconds >= 0 else {
      return nil
    }
    return seconds
  }

  /// The number of spans that the collector refused, and why; nil if it took all.
  var partialSuccess: (rejected: UInt64, message: String)? {
    guard let partial = Self.field(1, of: body) else { return nil }
    let message = Self.field(2, of: partial.bytes).map { String(decoding: $0.bytes, as: UTF8.self) }
    let rejected = Self.field(1, of: partial.bytes)?.number ?? 0
    return rejected == 0 && message?.isEmpty ?? true ? nil : (rejected, message ?? "")
  }

  /// What the collector says of its refusal.
  var explanation: String {
    let status = Self.field(2, of: body).map { String(decoding: $0.bytes, as: UTF8.self) }
    let isText = body.allSatisfy { $0 >= 0x20 && $0 < 0x7f || $0 == 0x0a || $0 == 0x0d }
    return String((status ?? (isText ? String(decoding: body, as: UTF8.self) : "")).prefix(300))
  }

  private struct Field {
    var number: UInt64 = 0
    var bytes: [UInt8] = []
  }

  /// Returns the last field with a number in a message of protobuf, if the message is one.
  private static func field(_ wanted: UInt64, of message: [UInt8]) -> Field? {
    var rest = message[...]
    var found: Field?
    func varint() -> UInt64? {
      var (number, shift) = (UInt64(0), UInt64(0))
      while let byte = rest.popFirst(), shift < 64 {
        number |= UInt64(byte & 0x7f) << shift
        if byte < 0x80 { return number }
        shift += 7
      }
      return nil
    }
    while !rest.isEmpty {
      guard let key = varint() else { return nil }
      var field = Field()
      switch key & 7 {
      case 0:
        guard let number = varint() else { return nil }
        field.number = number
      case 2:
        guard let count = varint(), count <= UInt64(rest.count) else { return nil }
        field.bytes = Array(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
      case 1 where rest.count >= 8: rest = rest.dropFirst(8)
      case 5 where rest.count >= 4: rest = rest.dropFirst(4)
      default: return nil
      }
      if key >> 3 == wanted { found = field }
    }
    return found
  }
}
