/// Texts that occur on line after line, by number: laid out once, in UTF-8, so that writing one is a
/// copy of a few bytes.
struct CellTable {
  private static let mostDense: UInt32 = 1 << 20
  private static let slack = 16

  fileprivate struct Place {
    var start: UInt32 = 0
    var count: UInt32 = 0
  }

  private var arena: [UInt8] = Array(repeating: 0, count: slack)
  private var dense: [Place] = []
  private var sparse: [UInt32: Place] = [:]

  /// Sets the text of a number.
  mutating func insert(_ text: String, for number: UInt32) {
    let bytes = Array(text.utf8)
    arena.removeLast(Self.slack)
    let place = Place(start: UInt32(arena.count), count: UInt32(bytes.count))
    arena += bytes + Array(repeating: 0, count: Self.slack)
    guard number < Self.mostDense else {
      sparse[number] = place
      return
    }
    let missing = Int(number) + 1 - dense.count
    if missing > 0 { dense.append(contentsOf: repeatElement(Place(), count: missing)) }
    dense[Int(number)] = place
  }

  /// The longest text, in bytes.
  var longest: Int {
    let longest = max(
      dense.lazy.map(\.count).max() ?? 0, sparse.values.lazy.map(\.count).max() ?? 0)
    return Int(longest)
  }

  /// Lends the table for fast use.
  func lend(_ body: (Reader) -> Void) {
    arena.withUnsafeBufferPointer { arena in
      dense.withUnsafeBufferPointer { dense in
        body(Reader(arena: arena, dense: dense, sparse: sparse))
      }
    }
  }

  /// The table as plain memory.
  struct Reader {
    fileprivate let arena: UnsafeBufferPointer<UInt8>
    fileprivate let dense: UnsafeBufferPointer<Place>
    fileprivate let sparse: [UInt32: Place]

    /// Writes the text of a number; returns false when it has none.
    @inline(__always)
    func write(_ number: UInt32, to pen: inout Pen) -> Bool {
      let place = Int(number) < dense.count ? dense[Int(number)] : rare(number)
      guard place.count > 0 else { return false }
      pen.put(padded: arena.baseAddress! + Int(place.start), count: Int(place.count))
      return true
    }

    @inline(never)
    private func rare(_ number: UInt32) -> Place { sparse[number] ?? Place() }
  }
}
