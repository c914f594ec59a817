internal import CSQLite
internal import VarveAnalysis
internal import VarveProbe

/// The value of an event as a cell of SQL: a number, a text, bytes, or nothing.
enum EventValue {
  /// Returns the type's name in NDJSON; nil for what is no value.
  static func typeName(_ raw: UInt8) -> String? {
    switch PayloadKind(rawValue: raw) {
    case .absent, .reason, .cause: nil
    case let kind: kind?.name ?? "unknown\(raw)"
    }
  }

  /// Returns the length that a text had, and whether only a part of it was recorded; nil for others.
  static func bytes(_ raw: UInt8, _ word: UInt64, _ count: Int) -> (whole: Int64, isCut: Bool)? {
    switch PayloadKind(rawValue: raw) {
    case .string, .description, .bytes:
      (Int64(clamping: max(word, UInt64(count))), word > UInt64(count))
    default: nil
    }
  }

  /// Binds a value; returns false, and binds nothing, if there is none. The text must stay where it is
  /// until the statement has run.
  static func bind(
    _ raw: UInt8, _ word: UInt64, _ text: UnsafeBufferPointer<UInt8>, to statement: OpaquePointer,
    _ place: Int32
  ) -> Bool {
    switch number(raw, word) {
    case .integer(let number)?: sqlite3_bind_int64(statement, place, number)
    case .text(let digits)?:
      varve_bind_copied_text(statement, place, digits, Int32(digits.utf8.count))
    case .null?, nil:
      switch PayloadKind(rawValue: raw) {
      case .real: sqlite3_bind_double(statement, place, Double(bitPattern: word))
      case .bytes: sqlite3_bind_blob(statement, place, text.baseAddress, Int32(text.count), nil)
      case .string, .description, .typeOnly:
        if !text.isEmpty, isPlain(text) {
          text.withMemoryRebound(to: CChar.self) {
            _ = sqlite3_bind_text(statement, place, $0.baseAddress, Int32($0.count), nil)
          }
        } else {
          let valid = String(decoding: text, as: UTF8.self)
          varve_bind_copied_text(statement, place, valid, Int32(valid.utf8.count))
        }
      default: return false
      }
    }
    return true
  }

  /// Gives a value to SQLite as the result of a column.
  static func give(
    _ raw: UInt8, _ word: UInt64, _ text: UnsafeBufferPointer<UInt8>, to context: OpaquePointer?
  ) {
    switch number(raw, word) {
    case .integer(let number)?: sqlite3_result_int64(context, number)
    case .text(let digits)?: varve_result_copied_text(context, digits, Int32(digits.utf8.count))
    case .null?, nil:
      switch PayloadKind(rawValue: raw) {
      case .real: sqlite3_result_double(context, Double(bitPattern: word))
      case .bytes:
        varve_result_copied_bytes(
          context, text.baseAddress ?? UnsafePointer(empty), Int32(text.count))
      case .string, .description, .typeOnly:
        let valid = String(decoding: text, as: UTF8.self)
        varve_result_copied_text(context, valid, Int32(valid.utf8.count))
      default: sqlite3_result_null(context)
      }
    }
  }

  private static func number(_ raw: UInt8, _ word: UInt64) -> SQLCell? {
    switch PayloadKind(rawValue: raw) {
    case .integer: .integer(Int64(bitPattern: word))
    case .unsigned: SQLCell(word)
    case .boolean: .integer(word == 0 ? 0 : 1)
    case .stream: .integer(Int64(SubscriptionPayload(word: word).stream))
    case let kind?: kind.task(in: word).map { SQLCell($0) }
    case nil: nil
    }
  }

  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.reduce(0) { $0 | $1 } < 0x80
  }

  // Safety: it never changes.
  nonisolated(unsafe) private static let empty = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}
