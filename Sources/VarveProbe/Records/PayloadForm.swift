public import CVarveSystem

/// How the values of a type are written into a record: chosen once for a stream, used for each
/// event without looking at the type again.
public enum PayloadForm: Sendable {
  /// Of each value the name of its type.
  case typeName
  /// A payload without content: `()`, or a value that is withheld.
  case empty(PayloadKind)
  /// A signed integer of so many bytes.
  case integer(bytes: Int)
  /// An unsigned integer of so many bytes.
  case unsigned(bytes: Int)
  /// `Double`.
  case real
  /// `Float`.
  case single
  /// `Bool`.
  case boolean
  /// `String`.
  case string
  /// A type that knows how to be recorded: what it says of the value that lies at an address.
  case traced(@Sendable (UnsafeRawPointer) -> TracePayload)
  /// Whatever else: asked value by value.
  case general(typesOnly: Bool)

  /// The form for a type, as far as a recorder's wishes allow it.
  public init(of type: any Any.Type, wish: Wish) {
    if wish.contains(.withholdValues) {
      self = wish.contains(.typesOnly) ? .typeName : .empty(.withheld)
      return
    }
    switch type {
    case is Void.Type: self = .empty(.unit)
    case is Int.Type: self = .integer(bytes: MemoryLayout<Int>.size)
    case is Int64.Type: self = .integer(bytes: 8)
    case is Int32.Type: self = .integer(bytes: 4)
    case is Int16.Type: self = .integer(bytes: 2)
    case is Int8.Type: self = .integer(bytes: 1)
    case is UInt.Type: self = .unsigned(bytes: MemoryLayout<UInt>.size)
    case is UInt64.Type: self = .unsigned(bytes: 8)
    case is UInt32.Type: self = .unsigned(bytes: 4)
    case is UInt16.Type: self = .unsigned(bytes: 2)
    case is UInt8.Type: self = .unsigned(bytes: 1)
    case is Double.Type: self = .real
    case is Float.Type: self = .single
    case is Bool.Type: self = .boolean
    case is String.Type: self = .string
    case let type as any TraceValue.Type: self = .traced(type.payloadReader)
    default: self = .general(typesOnly: wish.contains(.typesOnly))
    }
  }
}

extension TraceValue {
  /// Reads what a value of this type says of itself, where it lies.
  fileprivate static var payloadReader: @Sendable (UnsafeRawPointer) -> TracePayload {
    { $0.assumingMemoryBound(to: Self.self).pointee.tracePayload }
  }
}

/// The head of a record to be: everything but the value.
public struct RecordHead {
  /// The gate's word that the emitter saw.
  public var gate: UInt32
  /// What it tells.
  public var kind: RecordKind
  /// The stream that it is about.
  public var stream: UInt32
  /// The subscription that feeds the stream.
  public var subscription: UInt64
  /// The record's tick will be greater.
  public var floor: UInt64

  /// Creates a head.
  @inlinable
  public init(
    gate: UInt32, kind: RecordKind, stream: UInt32, subscription: UInt64, floor: UInt64 = 0
  ) {
    self.gate = gate
    self.kind = kind
    self.stream = stream
    self.subscription = subscription
    self.floor = floor
  }

  /// Emits a record without a value.
  @discardableResult @inlinable
  public func emit(_ payload: PayloadKind, into writer: UnsafeMutablePointer<vv_writer>) -> Bool {
    vv_emit(writer, gate, kind.rawValue, payload.rawValue, stream, subscription, floor)
  }

  /// Emits a record with a payload of one word.
  @discardableResult @inlinable
  public func emit(
    _ payload: PayloadKind, word: UInt64, into writer: UnsafeMutablePointer<vv_writer>
  ) -> Bool {
    vv_emit_word(writer, gate, kind.rawValue, payload.rawValue, stream, subscription, floor, word)
  }

  /// The most bytes of a text or of bytes that a record keeps.
  public static let longestText = 1024
  /// The most bytes of a description that a record keeps.
  public static let longestDescription = 256

  /// Emits a record with text, cut at `longest` bytes between two characters.
  @discardableResult @inlinable
  public func emit(
    _ payload: PayloadKind, text: String, longest: Int = RecordHead.longestText,
    into writer: UnsafeMutablePointer<vv_writer>
  ) -> Bool {
    // Where the text lies in memory as it should: no copy of it, and no count of who holds it.
    let isEmitted = text.utf8.withContiguousStorageIfAvailable { bytes in
      bytes.count <= longest
        ? emit(payload, bytes: bytes, kept: bytes.count, into: writer)
        : emit(payload, cutting: bytes, at: longest, into: writer)
    }
    return isEmitted ?? emit(payload, copying: text, longest: longest, into: writer)
  }

  /// Emits a record with text that lies in memory in another form, as those of Apple's older
  /// frameworks may.
  @usableFromInline
  func emit(
    _ payload: PayloadKind, copying text: String, longest: Int,
    into writer: UnsafeMutablePointer<vv_writer>
  ) -> Bool {
    var text = text
    return text.withUTF8 { emit(payload, cutting: $0, at: longest, into: writer) }
  }

  /// Emits a record with text, cut between two characters.
  @usableFromInline
  func emit(
    _ payload: PayloadKind, cutting bytes: UnsafeBufferPointer<UInt8>, at longest: Int,
    into writer: UnsafeMutablePointer<vv_writer>
  ) -> Bool {
    var kept = min(bytes.count, longest)
    while kept > 0, kept < bytes.count, bytes[kept] & 0xC0 == 0x80 { kept -= 1 }
    return emit(payload, bytes: bytes, kept: kept, into: writer)
  }

  /// Emits a record with the first `kept` of `bytes`.
  @discardableResult @inlinable
  public func emit(
    _ payload: PayloadKind, bytes: UnsafeBufferPointer<UInt8>, kept: Int,
    into writer: UnsafeMutablePointer<vv_writer>
  ) -> Bool {
    vv_emit_bytes(
      writer, gate, kind.rawValue, payload.rawValue, stream, subscription, floor,
      bytes.baseAddress, UInt32(kept), UInt32(clamping: bytes.count))
  }
}

extension RecordHead {
  /// Emits a record with a value, whose form was chosen for the type `Value`.
  @discardableResult
  public func emit<Value>(
    _ value: Value, as form: PayloadForm, into writer: UnsafeMutablePointer<vv_writer>
  ) -> Bool {
    switch form {
    case .integer(let bytes):
      return emit(.integer, word: signed(value, bytes: bytes), into: writer)
    case .unsigned(let bytes):
      return emit(.unsigned, word: unsigned(value, bytes: bytes), into: writer)
    case .empty(let kind):
      return emit(kind, into: writer)
    case .typeName:
      return emit(.typeOnly, text: typeName(of: value), into: writer)
    case .real:
      return emit(.real, word: load(value, as: UInt64.self), into: writer)
    case .single:
      let single = load(value, as: Float.self)
      return emit(.real, word: Double(single).bitPattern, into: writer)
    case .boolean:
      return emit(.boolean, word: UInt64(load(value, as: UInt8.self) & 1), into: writer)
    case .string:
      return emit(.string, text: unsafeBitCast(value, to: String.self), into: writer)
    case .traced(let payload):
      return emit(withUnsafePointer(to: value) { payload(UnsafeRawPointer($0)) }, into: writer)
    case .general(let typesOnly):
      return emit(general: value, typesOnly: typesOnly, into: writer)
    }
  }

  @inline(__always)
  private func load<Value, Bits: BitwiseCopyable>(_ value: Value, as: Bits.Type) -> Bits {
    withUnsafePointer(to: value) { UnsafeRawPointer($0).loadUnaligned(as: Bits.self) }
  }

  @inline(__always)
  private func signed<Value>(_ value: Value, bytes: Int) -> UInt64 {
    switch bytes {
    case 8: load(value, as: UInt64.self)
    case 4: UInt64(bitPattern: Int64(load(value, as: Int32.self)))
    case 2: UInt64(bitPattern: Int64(load(value, as: Int16.self)))
    default: UInt64(bitPattern: Int64(load(value, as: Int8.self)))
    }
  }

  @inline(__always)
  private func unsigned<Value>(_ value: Value, bytes: Int) -> UInt64 {
    switch bytes {
    case 8: load(value, as: UInt64.self)
    case 4: UInt64(load(value, as: UInt32.self))
    case 2: UInt64(load(value, as: UInt16.self))
    default: UInt64(load(value, as: UInt8.self))
    }
  }

  /// The slow way: asks the value itself. It may run user code (`description`, `tracePayload`).
  private func emit(
    general value: Any, typesOnly: Bool, into writer: UnsafeMutablePointer<vv_writer>
  ) -> Bool {
    if let traced = value as? any TraceValue { return emit(traced.tracePayload, into: writer) }
    if let optional = value as? any PossiblyNil {
      guard let wrapped = optional.wrappedValue else { return emit(PayloadKind.null, into: writer) }
      let form = PayloadForm(of: type(of: wrapped), wish: typesOnly ? .typesOnly : [])
      if case .general = form {
        return emit(general: wrapped, typesOnly: typesOnly, into: writer)
      }
      func open<Wrapped>(_ wrapped: Wrapped) -> Bool { emit(wrapped, as: form, into: writer) }
      return open(wrapped)
    }
    if typesOnly {
      return emit(.typeOnly, text: typeName(of: value), into: writer)
    }
    return emit(
      .description,
      text: BoundedDescription(of: value, most: Self.longestDescription).text,
      longest: Self.longestDescription, into: writer)
  }

  /// The name of what a value is, also behind `any`.
  private func typeName(of value: Any) -> String { TypeNames.qualified(type(of: value)) }

  private func emit(_ payload: TracePayload, into writer: UnsafeMutablePointer<vv_writer>) -> Bool {
    switch payload {
    case .unit: emit(PayloadKind.unit, into: writer)
    case .null: emit(PayloadKind.null, into: writer)
    case .withheld: emit(PayloadKind.withheld, into: writer)
    case .integer(let number): emit(.integer, word: UInt64(bitPattern: number), into: writer)
    case .unsigned(let number): emit(.unsigned, word: number, into: writer)
    case .real(let number): emit(.real, word: number.bitPattern, into: writer)
    case .boolean(let flag): emit(.boolean, word: flag ? 1 : 0, into: writer)
    case .string(let text): emit(.string, text: text, into: writer)
    case .bytes(let bytes):
      bytes.withUnsafeBufferPointer {
        emit(.bytes, bytes: $0, kept: min($0.count, Self.longestText), into: writer)
      }
    }
  }
}

/// Lets an optional of any type say whether it is `nil`.
private protocol PossiblyNil {
  var wrappedValue: Any? { get }
}

extension Optional: PossiblyNil {
  fileprivate var wrappedValue: Any? { self }
}
