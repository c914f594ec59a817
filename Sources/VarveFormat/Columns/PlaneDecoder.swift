/// Finds the columns of a block and reassembles their planes.
///
/// Nothing is trusted: every length must lie within the payload before it is used, a plane must
/// unpack to exactly its column's size, and anything missing or left over is an error.
final class PlaneDecoder {
  /// The position of a column's planes. An absent column has no planes, and all its entries are 0.
  private struct Place {
    var offset = 0
    var planes = 0
  }

  private let inflater = Inflater()
  private let scratch = Scratch<UInt8>()
  private let codesScratch = Scratch<UInt8>()
  private let othersScratch = Scratch<UInt8>()
  private let places: UnsafeMutablePointer<Place>
  private var payload = UnsafeRawBufferPointer(start: nil, count: 0)

  init() {
    places = .allocate(capacity: Int(Column.end))
    places.initialize(repeating: Place(), count: Int(Column.end))
  }

  deinit { places.deallocate() }

  /// Finds the columns in `payload` from `offset` on. The payload must stay valid for later calls.
  func begin(_ payload: UnsafeRawBufferPointer, at offset: Int) throws(MalformedBytes) {
    self.payload = payload
    places.update(repeating: Place(), count: Int(Column.end))
    var cursor = ByteCursor(payload, at: offset)
    while cursor.remaining > 0 {
      let column = try cursor.take(UInt8.self)
      let planes = Int(try cursor.take(UInt8.self))
      guard planes >= 1, planes <= 8 else { throw MalformedBytes(offset: cursor.offset) }
      let start = cursor.offset
      for _ in 0..<planes { _ = try takePlane(&cursor) }
      // Unknown columns are skipped.
      guard column < Column.end else { continue }
      guard places[Int(column)].planes == 0 else { throw MalformedBytes(offset: start) }
      places[Int(column)] = Place(offset: start, planes: planes)
    }
  }

  /// Returns whether some entry of a column may differ from 0.
  func has(_ column: UInt8) -> Bool { places[Int(column)].planes > 0 }

  /// Fills `target` with a column's `count` entries.
  func column<Number: FixedWidthInteger & UnsignedInteger>(
    _ column: UInt8, count: Int, into target: UnsafeMutablePointer<Number>
  ) throws(MalformedBytes) {
    let place = places[Int(column)]
    guard place.planes <= MemoryLayout<Number>.size else {
      throw MalformedBytes(offset: place.offset)
    }
    if place.planes == 0 { target.update(repeating: 0, count: count) }
    var cursor = ByteCursor(payload, at: place.offset)
    for index in 0..<place.planes {
      let plane = try takePlane(&cursor)
      if case .constant(let byte) = plane {
        merge(constant: byte, into: target, count: count, index: index)
      } else {
        let bytes = try unpack(plane, count: count, with: scratch)
        merge(bytes, into: target, count: count, shift: Number(index * 8))
      }
    }
  }

  /// Returns the bytes of a plane, which are valid until the next call.
  private func unpack(_ plane: Plane, count: Int, with scratch: Scratch<UInt8>)
    throws(MalformedBytes) -> UnsafeRawBufferPointer
  {
    switch plane {
    case .constant(let byte):
      let target = scratch.reserve(count)
      target.update(repeating: byte, count: count)
      return UnsafeRawBufferPointer(start: target, count: count)
    case .stored(let bytes):
      guard bytes.count == count else { throw MalformedBytes(offset: 0) }
      return bytes
    case .deflated(let packed):
      let target = UnsafeMutableRawBufferPointer(
        start: scratch.reserve(count), count: count)
      guard inflater.inflate(packed, into: target) else { throw MalformedBytes(offset: 0) }
      return UnsafeRawBufferPointer(target)
    case .encoded(let content):
      return try decode(content, count: count, into: scratch)
    }
  }

  /// Decodes a plane that is written as codes.
  private func decode(_ content: UnsafeRawBufferPointer, count: Int, into plane: Scratch<UInt8>)
    throws(MalformedBytes) -> UnsafeRawBufferPointer
  {
    var cursor = ByteCursor(content)
    let width = Int(try cursor.take(UInt8.self))
    guard width == 1 || width == 2 || width == 4 else { throw MalformedBytes(offset: 0) }
    let values = try cursor.take(bytes: PlaneCodes.values(width: width))
    let codes = try inner(
      &cursor, count: PlaneCodes.bytes(for: count, width: width), with: codesScratch)
    let number = PlaneCodes.others(in: codes, count: count, width: width)
    let others = try inner(&cursor, count: number, with: othersScratch)
    guard cursor.remaining == 0 else { throw MalformedBytes(offset: 0) }
    let target = plane.reserve(count)
    PlaneCodes.decode(
      codes, width: width, values: values, others: others, into: target, count: count)
    return UnsafeRawBufferPointer(start: target, count: count)
  }

  /// Unpacks a plane inside an encoded one; a plane without bytes is absent.
  private func inner(_ cursor: inout ByteCursor, count: Int, with scratch: Scratch<UInt8>)
    throws(MalformedBytes) -> UnsafeRawBufferPointer
  {
    guard count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let plane = try takePlane(&cursor)
    if case .encoded = plane { throw MalformedBytes(offset: 0) }
    return try unpack(plane, count: count, with: scratch)
  }

  private func merge<Number: FixedWidthInteger & UnsignedInteger>(
    constant byte: UInt8, into target: UnsafeMutablePointer<Number>, count: Int, index: Int
  ) {
    let part = Number(byte) << Number(index * 8)
    if index == 0 {
      target.update(repeating: part, count: count)
    } else if part != 0 {
      for entry in 0..<count { target[entry] |= part }
    }
  }

  @inline(__always)
  private func merge<Number: FixedWidthInteger & UnsignedInteger>(
    _ bytes: UnsafeRawBufferPointer, into target: UnsafeMutablePointer<Number>, count: Int,
    shift: Number
  ) {
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    if shift == 0 {
      for entry in 0..<count { target[entry] = Number(truncatingIfNeeded: base[entry]) }
    } else {
      for entry in 0..<count {
        target[entry] |= Number(truncatingIfNeeded: base[entry]) &<< shift
      }
    }
  }

  private enum Plane {
    case constant(UInt8)
    case stored(UnsafeRawBufferPointer)
    case deflated(UnsafeRawBufferPointer)
    case encoded(UnsafeRawBufferPointer)
  }

  private func takePlane(_ cursor: inout ByteCursor) throws(MalformedBytes) -> Plane {
    let start = cursor.offset
    let word = try cursor.takeVarint()
    // At most 62 bits, so even a length too large for the payload fits into an `Int`.
    let length = Int(word >> 2)
    switch UInt8(word & 3) {
    case PlaneForm.constant where length <= 0xff: return .constant(UInt8(length))
    case PlaneForm.stored: return .stored(try cursor.take(bytes: length))
    case PlaneForm.deflated: return .deflated(try cursor.take(bytes: length))
    case PlaneForm.encoded: return .encoded(try cursor.take(bytes: length))
    default: throw MalformedBytes(offset: start)
    }
  }
}
