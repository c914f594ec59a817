import VarveFormat
import VarveProbe

/// A run of records as a ring holds them, made here by hand from the description in
/// `varve_ring.h` and not by the code under test.
struct RecordBytes {
  /// A record's payload.
  enum Payload {
    case none(PayloadKind)
    case word(PayloadKind, UInt64)
    case text(PayloadKind, [UInt8], original: Int)

    static func integer(_ number: Int64) -> Payload { .word(.integer, UInt64(bitPattern: number)) }
    static func string(_ text: String) -> Payload {
      .text(.string, Array(text.utf8), original: text.utf8.count)
    }

    fileprivate var kind: PayloadKind {
      switch self {
      case .none(let kind), .word(let kind, _), .text(let kind, _, _): kind
      }
    }

    fileprivate var bytes: [UInt8] {
      switch self {
      case .none: []
      case .word(_, let word): little(word)
      case .text(_, let text, let original):
        little(UInt32(original)) + little(UInt32(text.count)) + text
          + [UInt8](repeating: 0, count: -text.count & 7)
      }
    }
  }

  private(set) var bytes: [UInt8] = []
  private(set) var count: UInt64 = 0
  private var offsets: [Int] = []
  let firstSequence: UInt64

  init(firstSequence: UInt64 = 1) { self.firstSequence = firstSequence }

  /// Adds a record.
  mutating func add(
    _ kind: RecordKind = .value, stream: UInt32 = 1, ticks: UInt64, back: UInt32 = 0,
    subscription: UInt64 = 0, payload: Payload = .none(.absent), far: [UInt64] = []
  ) {
    add(
      rawKind: kind.rawValue, stream: stream, ticks: ticks, back: back, subscription: subscription,
      payload: payload, far: far)
  }

  /// Adds a record of any kind.
  mutating func add(
    rawKind: UInt8, stream: UInt32, ticks: UInt64, back: UInt32 = 0, subscription: UInt64 = 0,
    payload: Payload = .none(.absent), far: [UInt64] = []
  ) {
    let tail = payload.bytes + far.flatMap(little)
    offsets.append(bytes.count)
    bytes += [UInt8((32 + tail.count) / 8), rawKind, payload.kind.rawValue, UInt8(far.count)]
    bytes += little(stream) + little(ticks)
    bytes += little(UInt32(truncatingIfNeeded: firstSequence + count)) + little(back)
    bytes += little(subscription) + tail
    count += 1
  }

  /// Records `first` to `last - 1`, as bytes.
  func slice(_ range: Range<Int>) -> [UInt8] {
    Array(bytes[offset(range.lowerBound)..<offset(range.upperBound)])
  }

  private func offset(_ index: Int) -> Int { index < offsets.count ? offsets[index] : bytes.count }

  /// What the records say, read record by record.
  func columns(ring: UInt32 = 1) throws -> EventColumns {
    var columns = EventColumns()
    try bytes.withUnsafeBytes {
      try RingRecords.decode(
        $0, ring: ring, firstSequence: firstSequence, into: &columns, columns: .all)
    }
    return columns
  }
}

/// A number's bytes, lowest first.
func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
  withUnsafeBytes(of: number.littleEndian) { Array($0) }
}

/// A generator that gives the same numbers each time.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
