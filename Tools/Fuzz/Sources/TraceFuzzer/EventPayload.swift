/// The payload of an event block, taken apart into columns and planes: what is deflated cannot be
/// changed with sense, so that planes are rather written anew, in each of the forms that there are.
struct EventPayload {
  private struct Column {
    var number: UInt8
    var planes: [[UInt8]]
  }

  /// Shapes, texts, bytes of the heap, first tick.
  private var counts: [UInt64]
  private var columns: [Column] = []
  /// What could not be taken apart.
  private var rest: [UInt8] = []

  private enum Form {
    static let constant: UInt64 = 0
    static let stored: UInt64 = 1
    static let deflated: UInt64 = 2
    static let encoded: UInt64 = 3
  }

  init?(_ bytes: [UInt8]) {
    var offset = 0
    counts = []
    for _ in 0..<4 {
      guard let count = bytes.varint(at: &offset) else { return nil }
      counts.append(count)
    }
    while offset + 2 <= bytes.count {
      var column = Column(number: bytes[offset], planes: [])
      var end = offset + 2
      for _ in 0..<bytes[offset + 1] {
        let start = end
        guard let word = bytes.varint(at: &end) else { break }
        let length = word & 3 == Form.constant ? 0 : word >> 2
        guard length <= UInt64(bytes.count - end) else { break }
        end += Int(length)
        column.planes.append(Array(bytes[start..<end]))
      }
      guard column.planes.count == Int(bytes[offset + 1]) else { break }
      columns.append(column)
      offset = end
    }
    rest = Array(bytes[offset...])
  }

  var bytes: [UInt8] {
    var all: [UInt8] = []
    for count in counts { all.append(varint: count) }
    for column in columns {
      all.append(column.number)
      all.append(UInt8(truncatingIfNeeded: column.planes.count))
      for plane in column.planes { all += plane }
    }
    return all + rest
  }

  /// Does one to three things.
  mutating func change(_ chance: inout Chance, events: Int) {
    let events = min(events, 2_000)
    for _ in 0...chance.below(3) {
      let column = chance.below(columns.count)
      switch chance.below(10) {
      case 0:
        let count = chance.below(4)
        counts[count] = chance.once(in: 2) ? counts[count] &+ 1 : chance.number()
      case 1 where !columns.isEmpty: columns.remove(at: column)
      case 2 where !columns.isEmpty: columns[column].number = UInt8(chance.below(22))
      case 3 where !columns.isEmpty: columns.insert(columns[column], at: 0)
      case 4: columns.append(fresh(UInt8(1 + chance.below(20)), &chance, events))
      default:
        guard !columns.isEmpty, !columns[column].planes.isEmpty else { continue }
        let place = chance.below(columns[column].planes.count)
        let count = entries(columns[column].number, &chance, events)
        columns[column].planes[place] = plane(count, &chance)
      }
    }
  }

  private func fresh(_ number: UInt8, _ chance: inout Chance, _ events: Int) -> Column {
    let count = entries(number, &chance, events)
    let planes = (0...chance.below(3)).map { _ in plane(count, &chance) }
    return Column(number: number, planes: planes)
  }

  /// How many entries a column should have, mostly.
  private func entries(_ number: UInt8, _ chance: inout Chance, _ events: Int) -> Int {
    if chance.once(in: 8) { return chance.below(events + 3) }
    func bounded(_ count: UInt64) -> Int { Int(min(count, 2_000)) }
    switch number {
    case 1: return max(events - 1, 0)
    case 2...9: return bounded(counts[0])
    case 10...15: return events
    case 16, 17: return bounded(counts[1])
    default: return bounded(counts[2])
    }
  }

  private func plane(_ count: Int, _ chance: inout Chance) -> [UInt8] {
    switch chance.below(4) {
    case 0: return word(UInt64(chance.below(40)), Form.constant)
    case 1: return word(chance.number() >> 2, UInt64(chance.below(4)))
    case 2: return stored(count, &chance)
    default: return encoded(count, &chance)
    }
  }

  private func word(_ length: UInt64, _ form: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: length << 2 | form)
    return bytes
  }

  private func stored(_ count: Int, _ chance: inout Chance) -> [UInt8] {
    let most = UInt8([1, 2, 4, 255][chance.below(4)])
    let content = chance.bytes(count).map { $0 % max(most, 1) }
    return word(UInt64(content.count), Form.stored) + content
  }

  private func encoded(_ count: Int, _ chance: inout Chance) -> [UInt8] {
    let width = [1, 2, 4, 3][chance.below(chance.once(in: 10) ? 4 : 3)]
    let other = 1 << width - 1
    var content = [UInt8(width)] + chance.bytes(other)
    let codes = chance.bytes((count * width + 7) / 8)
    content += word(UInt64(codes.count), Form.stored) + codes
    let others = (0..<count).count { index in
      Int(codes[index * width / 8]) >> (index * width % 8) & other == other
    }
    let told = chance.once(in: 8) ? others + 1 : others
    if told > 0 { content += stored(told, &chance) }
    return word(UInt64(content.count), Form.encoded) + content
  }
}
