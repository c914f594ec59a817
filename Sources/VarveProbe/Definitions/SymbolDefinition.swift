/// The name of the code at an address, if it has been symbolized.
///
/// A trace may name very many addresses, each with dozens of inlined functions: they are packed one
/// after the other in a few bytes each, and unpacked on access.
public struct SymbolDefinition: Sendable, Hashable {
  /// The address, as `StackFrame.lookup` gives it.
  public var address: UInt64
  /// The function that the code belongs to, preceded by the functions inlined there, innermost
  /// first. Empty if nothing is known of the address.
  public var functions: [FunctionPlace] {
    get { packed.places }
    set { packed = PackedPlaces(newValue) }
  }

  private var packed: PackedPlaces

  /// Creates a definition.
  public init(address: UInt64, functions: [FunctionPlace]) {
    self.address = address
    packed = PackedPlaces(functions)
  }
}

/// A function, and a source location in it.
public struct FunctionPlace: Sendable, Hashable {
  /// The function's name, as its language writes it.
  public var function: String
  /// The source file; nil when there is no debug information.
  public var file: String?
  /// The line, from 1; 0 when it is not known.
  public var line: UInt32
  /// Whether the function is known to return a producer, so that its caller is the one to start it.
  /// Traces do not contain this.
  public var returnsProducer: Bool

  /// Creates a place.
  public init(
    function: String, file: String? = nil, line: UInt32 = 0, returnsProducer: Bool = false
  ) {
    self.function = function
    self.file = file
    self.line = line
    self.returnsProducer = returnsProducer
  }
}

/// Functions and their locations in as few bytes as possible. For each: the line, doubled, plus one if
/// the function returns a producer; the length of the file plus one (0 for none), the file, the
/// length of the function, and the function.
private struct PackedPlaces: Sendable, Hashable {
  private var bytes: [UInt8] = []

  init(_ places: [FunctionPlace]) {
    for place in places {
      append(UInt64(place.line) << 1 | (place.returnsProducer ? 1 : 0))
      append(place.file.map { UInt64($0.utf8.count) + 1 } ?? 0)
      bytes += (place.file ?? "").utf8
      append(UInt64(place.function.utf8.count))
      bytes += place.function.utf8
    }
  }

  var places: [FunctionPlace] {
    var places: [FunctionPlace] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let line = Self.number(&rest)
      let fileBytes = Self.number(&rest)
      let file = fileBytes == 0 ? nil : Self.text(&rest, bytes: fileBytes - 1)
      let function = Self.text(&rest, bytes: Self.number(&rest))
      places.append(
        FunctionPlace(
          function: function, file: file, line: UInt32(truncatingIfNeeded: line >> 1),
          returnsProducer: line & 1 == 1))
    }
    return places
  }

  private mutating func append(_ number: UInt64) {
    var rest = number
    while rest > 0x7f {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int {
    var number = 0
    var shift = 0
    while let byte = bytes.popFirst() {
      number |= Int(byte & 0x7f) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return number
  }

  private static func text(_ bytes: inout ArraySlice<UInt8>, bytes count: Int) -> String {
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    bytes = bytes.dropFirst(count)
    return text
  }
}
