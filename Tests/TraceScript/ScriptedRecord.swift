internal import VarveFormat
public import VarveProbe

/// What a scripted record carries.
public enum ScriptedPayload: Sendable {
  case absent, unit, null, withheld
  case integer(Int64), unsigned(UInt64), real(Double), boolean(Bool)
  case stream(UInt32), reason(UInt8, stack: UInt32 = 0), cause(HopPayload)
  case subscription(SubscriptionPayload)
  case task(TaskRunPayload), awaited(TaskAwaitPayload), made(TaskCreationPayload)
  /// Text, of which the value had more than was kept when `originally` is larger.
  case string(String, originally: Int? = nil)
  case description(String), typeOnly(String), bytes([UInt8])
  /// Text that is no UTF-8.
  case rawString([UInt8])
}

/// A record as it lies in a ring (`varve_ring.h`).
struct ScriptedRecord {
  var kind: RecordKind
  var payload: ScriptedPayload
  var stream: UInt32
  var ticks: UInt64
  var sequence: UInt32
  var back: UInt32
  var subscription: UInt64
  var causes: [EventName]

  var bytes: [UInt8] {
    let payload = payload.bytes
    let size = 32 + payload.count + causes.count * 8
    var bytes = [UInt8(size / 8), kind.rawValue, self.payload.kind.rawValue, UInt8(causes.count)]
    bytes += little(stream)
    bytes += little(ticks)
    bytes += little(sequence)
    bytes += little(back)
    bytes += little(subscription)
    bytes += payload
    for cause in causes { bytes += little(UInt64(cause.ring) << 40 | cause.sequence) }
    return bytes
  }
}

extension ScriptedPayload {
  fileprivate var kind: PayloadKind {
    switch self {
    case .absent: .absent
    case .unit: .unit
    case .null: .null
    case .withheld: .withheld
    case .integer: .integer
    case .unsigned: .unsigned
    case .real: .real
    case .boolean: .boolean
    case .stream, .subscription: .stream
    case .reason: .reason
    case .cause: .cause
    case .task: .task
    case .awaited: .awaited
    case .made: .made
    case .string, .rawString: .string
    case .description: .description
    case .typeOnly: .typeOnly
    case .bytes: .bytes
    }
  }

  fileprivate var bytes: [UInt8] {
    switch self {
    case .absent, .unit, .null, .withheld: []
    case .integer(let number): little(UInt64(bitPattern: number))
    case .unsigned(let number): little(number)
    case .real(let number): little(number.bitPattern)
    case .boolean(let truth): little(UInt64(truth ? 1 : 0))
    case .stream(let id): little(UInt64(id))
    case .subscription(let payload): little(payload.word)
    case .reason(let reason, let stack): little(ReasonPayload(reason: reason, stack: stack).word)
    case .cause(let hop): little(hop.word)
    case .task(let run): little(run.word)
    case .awaited(let end): little(end.word)
    case .made(let made): little(made.word)
    case .string(let string, let length): text(Array(string.utf8), length)
    case .description(let string), .typeOnly(let string): text(Array(string.utf8), nil)
    case .bytes(let bytes), .rawString(let bytes): text(bytes, nil)
    }
  }

  private func text(_ bytes: [UInt8], _ length: Int?) -> [UInt8] {
    let padding = (8 - bytes.count % 8) % 8
    return little(UInt32(length ?? bytes.count)) + little(UInt32(bytes.count)) + bytes
      + Array(repeating: 0, count: padding)
  }
}

private func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}
