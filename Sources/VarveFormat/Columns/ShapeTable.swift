internal import CVarveSystem

/// What a block's events of one shape have in common, and the fields of the last of them.
struct Shape {
  /// Kind, payload kind, far causes, and stream, as in a record's first eight bytes above the size.
  let key: UInt64
  /// The index of its slot in the table.
  var slot: Int
  var lastSubscription: UInt64
  var lastWord: UInt64 = 0
  let firstSubscription: UInt64
  var firstWord: UInt64 = 0
  var lastBack: UInt32
  let firstBack: UInt32
  var lastText: LastText
  var wordsSeen: UInt32 = 0
  /// The smallest size of a record; larger than any record if such a shape is impossible.
  let leastBytes: UInt32
  let layout: PayloadLayout
  let farCauses: UInt8
  var wordForm = WordForm.difference

  /// Creates the shape of `record`, which is its first record.
  init(key: UInt64, slot: Int, record: UnsafeRawPointer) {
    self.key = key
    self.slot = slot
    firstBack = record.loadUnaligned(fromByteOffset: 20, as: UInt32.self)
    firstSubscription = record.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
    lastBack = firstBack
    lastSubscription = firstSubscription
    lastText = LastText(place: record, length: 0)
    layout = PayloadLayout(UInt8(truncatingIfNeeded: key >> 8))
    farCauses = UInt8(truncatingIfNeeded: key >> 16)
    let fixed = UInt32(VV_RECORD_HEAD_BYTES) + (layout == .none ? 0 : 8)
    leastBytes = farCauses <= VV_FAR_LARGEST ? fixed + UInt32(farCauses) * 8 : .max
  }

  var kind: UInt8 { UInt8(truncatingIfNeeded: key) }
  var payload: UInt8 { UInt8(truncatingIfNeeded: key >> 8) }
  var stream: UInt32 { UInt32(truncatingIfNeeded: key >> 24) }
  /// The word from which the first difference is taken.
  var startWord: UInt64 { wordForm == WordForm.plain ? 0 : firstWord }
}

/// The shapes of the block being encoded, numbered in order of appearance.
final class ShapeTable {
  private(set) var shapes: UnsafeMutablePointer<Shape>
  private(set) var count = 0
  private var capacity = 128
  /// Shape numbers plus 1, or 0 for free slots. Twice as many as `capacity`.
  private var slots: UnsafeMutablePointer<UInt32>
  private var shift: UInt64

  init() {
    shapes = .allocate(capacity: capacity)
    slots = .allocate(capacity: capacity * 2)
    slots.initialize(repeating: 0, count: capacity * 2)
    shift = 64 - UInt64((capacity * 2).trailingZeroBitCount)
  }

  deinit {
    shapes.deallocate()
    slots.deallocate()
  }

  /// Returns the number of a record's shape, adding the shape if it is new in the block. The record
  /// must have at least the bytes of a head.
  @inline(__always)
  func number(of key: UInt64, _ record: UnsafeRawPointer) -> Int {
    let found = slots[Self.slot(of: key, shift)]
    if found != 0, shapes[Int(found) &- 1].key == key { return Int(found) &- 1 }
    return search(key, record)
  }

  @inline(__always)
  private static func slot(of key: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) &>> shift)
  }

  @inline(never)
  private func search(_ key: UInt64, _ record: UnsafeRawPointer) -> Int {
    if count == capacity { grow() }
    var slot = Self.slot(of: key, shift)
    while slots[slot] != 0 {
      let found = Int(slots[slot]) - 1
      if shapes[found].key == key { return found }
      slot = (slot + 1) & (capacity * 2 - 1)
    }
    (shapes + count).initialize(to: Shape(key: key, slot: slot, record: record))
    count += 1
    slots[slot] = UInt32(count)
    return count - 1
  }

  /// Removes all shapes, in time proportional to their number.
  func removeAll() {
    for index in 0..<count { slots[shapes[index].slot] = 0 }
    count = 0
  }

  private func grow() {
    let fresh = UnsafeMutablePointer<Shape>.allocate(capacity: capacity * 2)
    fresh.moveInitialize(from: shapes, count: count)
    shapes.deallocate()
    shapes = fresh
    capacity *= 2
    slots.deallocate()
    slots = .allocate(capacity: capacity * 2)
    slots.initialize(repeating: 0, count: capacity * 2)
    shift -= 1
    for index in 0..<count { place(index) }
  }

  private func place(_ index: Int) {
    var slot = Self.slot(of: shapes[index].key, shift)
    while slots[slot] != 0 { slot = (slot + 1) & (capacity * 2 - 1) }
    slots[slot] = UInt32(index + 1)
    shapes[index].slot = slot
  }
}
