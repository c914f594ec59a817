/// A column of a Parquet file, and its cells in the current group of rows.
struct ParquetColumn {
  enum Kind {
    /// 64 bits, as differences.
    case integer, unsigned
    /// Nanoseconds since 1970, UTC, as differences.
    case moment
    case real, boolean
    /// Text, whole.
    case text
    /// Text that recurs, by its number in a dictionary.
    case name
  }

  let name: String
  let kind: Kind

  /// Whether each row has a value.
  private var present: [Bool] = []
  private var numbers: [Int64] = []
  private var texts: [UInt8] = []
  private var indices: [UInt32] = []
  /// The number of each name by its key.
  private var dictionary: [UInt64: UInt32] = [:]

  init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }

  var bytes: Int { texts.count }
  /// The number of rows.
  var count: Int { present.count }

  // MARK: - Cells

  mutating func addNothing() { present.append(false) }

  mutating func add(_ number: Int64) {
    present.append(true)
    numbers.append(number)
  }

  mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
    present.append(true)
    texts.append(little: UInt32(text.count))
    texts += text
  }

  mutating func add(text: String) {
    var text = text
    text.withUTF8 { add($0) }
  }

  /// Adds the name with a key, which `make` returns if it is not known.
  @inline(__always)
  mutating func add(_ key: UInt64, _ make: () -> String) {
    present.append(true)
    indices.append(dictionary[key] ?? define(key, make()))
  }

  private mutating func define(_ key: UInt64, _ name: String) -> UInt32 {
    let index = UInt32(dictionary.count)
    dictionary[key] = index
    texts.append(little: UInt32(name.utf8.count))
    texts += Array(name.utf8)
    return index
  }

  mutating func clear() {
    present.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    indices.removeAll(keepingCapacity: true)
    dictionary.removeAll(keepingCapacity: true)
  }

  // MARK: - Pages

  /// The dictionary's page, if the column has one.
  var dictionaryPage: (content: [UInt8], count: Int)? {
    kind == .name ? (texts, dictionary.count) : nil
  }

  /// The page with the cells: which rows have one, then those.
  var page: [UInt8] {
    var levels: [UInt8] = []
    if present.allSatisfy({ $0 }) {
      levels.append(varint: UInt64(count) << 1)
      levels.append(1)
    } else {
      levels.append(packed: present.lazy.map { $0 ? 1 : 0 }, count: count, width: 1)
    }
    var page: [UInt8] = []
    page.append(little: UInt32(levels.count))
    page += levels
    switch kind {
    case .integer, .unsigned, .moment: page.append(differences: numbers)
    case .real: for number in numbers { page.append(little: number) }
    case .boolean: page.append(bits: numbers.lazy.map { UInt64($0) }, width: 1)
    case .text: page += texts
    case .name:
      let width = max(32 - UInt32(max(dictionary.count - 1, 0)).leadingZeroBitCount, 1)
      page.append(UInt8(width))
      page.append(packed: indices.lazy.map { UInt64($0) }, count: indices.count, width: width)
    }
    return page
  }

  /// The least and the greatest number, for readers that pass over groups of rows.
  var range: ClosedRange<Int64>? {
    guard kind == .integer || kind == .moment, let least = numbers.min(), let most = numbers.max()
    else { return nil }
    return least...most
  }
}

extension [UInt8] {
  /// Appends one run of numbers of `width` bits, in groups of eight.
  fileprivate mutating func append(packed numbers: some Sequence<UInt64>, count: Int, width: Int) {
    let groups = (count + 7) / 8
    append(varint: UInt64(groups) << 1 | 1)
    let end = self.count + groups * width
    append(bits: numbers, width: width)
    while self.count < end { append(0) }
  }

  /// Appends numbers of `width` bits, the lowest bits first.
  fileprivate mutating func append(bits numbers: some Sequence<UInt64>, width: Int) {
    var held: UInt64 = 0
    var bits = 0
    for number in numbers {
      // At most 32 bits at a time: those that are held fit into the word beside them.
      for (part, width) in [
        (number & 0xffff_ffff, Swift.min(width, 32)), (number >> 32, width - 32),
      ]
      where width > 0 {
        held |= part << UInt64(bits)
        bits += width
        while bits >= 8 {
          append(UInt8(truncatingIfNeeded: held))
          held >>= 8
          bits -= 8
        }
      }
    }
    if bits > 0 { append(UInt8(truncatingIfNeeded: held)) }
  }

  /// Appends numbers as differences, in blocks of 128 and parts of 32 (`DELTA_BINARY_PACKED`).
  fileprivate mutating func append(differences numbers: [Int64]) {
    append(varint: 128)
    append(varint: 4)
    append(varint: UInt64(numbers.count))
    append(zigzag: numbers.first ?? 0)
    var start = 1
    while start < numbers.count {
      let end = Swift.min(start + 128, numbers.count)
      let steps = (start..<end).map { numbers[$0] &- numbers[$0 - 1] }
      let least = steps.min() ?? 0
      append(zigzag: least)
      let parts = stride(from: 0, to: 128, by: 32).map { place in
        steps.dropFirst(place).prefix(32).map { UInt64(bitPattern: $0 &- least) }
      }
      let widths = parts.map { 64 - ($0.max() ?? 0).leadingZeroBitCount }
      for width in widths { append(UInt8(width)) }
      for (part, width) in zip(parts, widths) where width > 0 {
        append(bits: part + Array<UInt64>(repeating: 0, count: 32 - part.count), width: width)
      }
      start = end
    }
  }
}
