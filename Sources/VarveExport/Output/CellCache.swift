/// Texts that recur line after line: each is made when it is first needed, and copied from then on.
///
/// A name costs thousands of instructions to escape and pad, and a copy about 20. The memory is
/// bounded whatever a trace contains: once it is full, all texts are dropped.
final class CellCache {
  /// The greatest number of bytes of a text that is kept. A longer one is made each time.
  static let longest = 512

  private static let bits: UInt64 = 14
  private static let placeCount = 1 << Int(bits)
  private static let mostBytes = 1 << 20

  private struct Place {
    var key: UInt64 = 0
    var start: UInt32 = 0
    /// 0 where there is no text.
    var count: UInt16 = 0
    var part: UInt8 = 0
  }

  private let places: UnsafeMutablePointer<Place>
  private let texts: UnsafeMutablePointer<UInt8>
  private var cells = 0
  private var bytes = 0

  init() {
    places = .allocate(capacity: Self.placeCount)
    places.initialize(repeating: Place(), count: Self.placeCount)
    texts = .allocate(capacity: Self.mostBytes + Pen.slack)
  }

  deinit {
    places.deallocate()
    texts.deallocate()
  }

  /// Writes the text with a key, which has two parts; `make` writes it if it is not there. The line
  /// that `pen` is writing has `longest` bytes reserved for it.
  @inline(__always)
  func write(_ key: UInt64, _ part: UInt8, to pen: inout Pen, _ make: (inout Pen) -> Void) {
    var place = Int(
      truncatingIfNeeded: ((key &* 32 &+ UInt64(part)) &* 0x9e37_79b9_7f4a_7c15)
        &>> (64 &- Self.bits))
    while places[place].count > 0 {
      if places[place].key == key, places[place].part == part {
        return pen.put(
          padded: texts + Int(places[place].start), count: Int(places[place].count))
      }
      place = (place &+ 1) & (Self.placeCount &- 1)
    }
    add(key, part, at: place, &pen, make)
  }

  @inline(never)
  private func add(
    _ key: UInt64, _ part: UInt8, at place: Int, _ pen: inout Pen, _ make: (inout Pen) -> Void
  ) {
    let (start, refills) = (pen.at, pen.refills)
    make(&pen)
    let count = pen.at - start
    guard pen.refills == refills, 1...Self.longest ~= count else { return }
    guard cells < Self.placeCount / 2, bytes + count <= Self.mostBytes else { return clear() }
    (texts + bytes).initialize(from: start, count: count)
    places[place] = Place(key: key, start: UInt32(bytes), count: UInt16(count), part: part)
    cells += 1
    bytes += count
  }

  private func clear() {
    places.update(repeating: Place(), count: Self.placeCount)
    cells = 0
    bytes = 0
  }
}
