/// The middle parts of lines: thread, stream and kind.
///
/// Few different ones occur, so each is assembled once and then copied.
final class LineMiddles {
  private static let places = 256
  private static let bytes = 112

  private struct Place {
    var key: UInt64 = .max
    var kind: UInt8 = 0
    var count = 0
  }

  private let keys: UnsafeMutablePointer<Place>
  private let arena: UnsafeMutablePointer<UInt8>

  init() {
    keys = .allocate(capacity: Self.places)
    keys.initialize(repeating: Place(), count: Self.places)
    // The copy reads sixteen bytes at a time.
    arena = .allocate(capacity: Self.places * Self.bytes + 16)
    arena.initialize(repeating: 0, count: Self.places * Self.bytes + 16)
  }

  deinit {
    keys.deallocate()
    arena.deallocate()
  }

  /// Writes the middle of a line for a ring, stream and kind; `write` assembles it if it is not
  /// cached.
  @inline(__always)
  func put(
    ring: UInt32, stream: UInt32, kind: UInt8, to pen: inout Pen, _ write: (inout Pen) -> Void
  ) {
    let key = UInt64(ring) << 32 | UInt64(stream)
    let place = Int(
      truncatingIfNeeded: ((key &* 32 &+ UInt64(kind)) &* 0x9e37_79b9_7f4a_7c15) &>> 56)
    if keys[place].key == key, keys[place].kind == kind {
      pen.put(padded: arena + place &* Self.bytes, count: keys[place].count)
    } else {
      fill(place, key, kind, &pen, write)
    }
  }

  @inline(never)
  private func fill(
    _ place: Int, _ key: UInt64, _ kind: UInt8, _ pen: inout Pen, _ write: (inout Pen) -> Void
  ) {
    let start = pen.at
    write(&pen)
    let count = pen.at - start
    guard count <= Self.bytes, key < .max else { return }
    keys[place] = Place(key: key, kind: kind, count: count)
    (arena + place * Self.bytes).update(from: start, count: count)
  }
}
