/// Texts by number that recur on line after line, laid out once in UTF-8, so that writing one is a
/// copy of a few bytes.
///
/// The names of a trace can exceed the room for copies: a text that does not fit is made anew each
/// time it is written.
struct CellTable {
  /// Makes the text of a number.
  typealias Maker = (UInt32) -> String?

  private static let mostDense: UInt32 = 1 << 18
  private static let slack = 16
  /// The greatest number of bytes that are laid out.
  private static let mostBytes = 4 << 20

  fileprivate struct Place {
    var start: UInt32 = 0
    var count: UInt32 = 0
  }

  private var arena: [UInt8] = Array(repeating: 0, count: slack)
  private var dense: [Place] = []
  private var sparse: [UInt32: Place] = [:]
  private var longestLeftOut = 0
  private let make: Maker

  /// Creates an empty table.
  init() { make = { _ in nil } }

  /// Lays out the texts of `numbers`.
  init(_ numbers: some Sequence<UInt32>, _ make: @escaping Maker) {
    self.make = make
    for number in numbers {
      if let text = make(number) { insert(text, for: number) }
    }
  }

  private mutating func insert(_ text: String, for number: UInt32) {
    let bytes = text.utf8
    guard arena.count + bytes.count <= Self.mostBytes else {
      longestLeftOut = max(longestLeftOut, bytes.count)
      return
    }
    arena.removeLast(Self.slack)
    let place = Place(start: UInt32(arena.count), count: UInt32(bytes.count))
    arena += bytes
    arena.append(contentsOf: repeatElement(0, count: Self.slack))
    guard number < Self.mostDense else {
      sparse[number] = place
      return
    }
    let missing = Int(number) + 1 - dense.count
    if missing > 0 { dense.append(contentsOf: repeatElement(Place(), count: missing)) }
    dense[Int(number)] = place
  }

  /// The length of the longest text, in bytes.
  var longest: Int {
    let longest = max(
      dense.lazy.map(\.count).max() ?? 0, sparse.values.lazy.map(\.count).max() ?? 0)
    return max(Int(longest), longestLeftOut)
  }

  /// Lends the table for fast access.
  func lend(_ body: (Reader) -> Void) {
    arena.withUnsafeBufferPointer { arena in
      dense.withUnsafeBufferPointer { dense in
        body(
          Reader(
            arena: arena, dense: dense, sparse: sparse, make: longestLeftOut > 0 ? make : nil))
      }
    }
  }

  /// The table as plain memory.
  struct Reader {
    fileprivate let arena: UnsafeBufferPointer<UInt8>
    fileprivate let dense: UnsafeBufferPointer<Place>
    fileprivate let sparse: [UInt32: Place]
    fileprivate let make: Maker?

    /// Writes the text of a number; returns false if it has none.
    @inline(__always)
    func write(_ number: UInt32, to pen: inout Pen) -> Bool {
      let place = Int(number) < dense.count ? dense[Int(number)] : rare(number)
      guard place.count > 0 else { return writeLeftOut(number, to: &pen) }
      pen.put(padded: arena.baseAddress! + Int(place.start), count: Int(place.count))
      return true
    }

    @inline(never)
    private func rare(_ number: UInt32) -> Place { sparse[number] ?? Place() }

    /// Writes a text that did not fit; `longest` includes it.
    @inline(never)
    private func writeLeftOut(_ number: UInt32, to pen: inout Pen) -> Bool {
      guard var text = make?(number), !text.isEmpty else { return false }
      text.withUTF8 { pen.put($0) }
      return true
    }
  }
}
