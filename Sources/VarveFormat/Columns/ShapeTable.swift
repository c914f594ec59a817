internal import CVarveSystem

/// What a block's events of one shape have in common, and where the last of them stood.
struct Shape {
  /// Kind, payload kind, far causes and stream, as a record's first eight bytes hold them above
  /// the size.
  var key: UInt64
  /// Where the table's slot for it is.
  var slot: Int
  var lastWord: UInt64 = 0
  var lastSubscription: UInt64 = 0
  /// Bits that the words have needed as they are, and as differences.
  var plainBits: UInt64 = 0
  var differenceBits: UInt64 = 0
  var lastBack: UInt32 = 0
  /// The least size of a record in units of eight bytes.
  var leastEights: UInt8
  var layout: PayloadLayout
  var farCauses: UInt8
  var wordForm = WordForm.plain

  init(key: UInt64, slot: Int) {
    self.key = key
    self.slot = slot
    layout = PayloadLayout(UInt8(truncatingIfNeeded: key >> 8))
    farCauses = UInt8(truncatingIfNeeded: key >> 16)
    let head = UInt8(VV_RECORD_HEAD_BYTES / 8)
    leastEights = head &+ farCauses &+ (layout == .none ? 0 : 1)
  }

  var kind: UInt8 { UInt8(truncatingIfNeeded: key) }
  var payload: UInt8 { UInt8(truncatingIfNeeded: key >> 8) }
  var stream: UInt32 { UInt32(truncatingIfNeeded: key >> 24) }
}

/// The shapes of the block that is being encoded, numbered as they come.
final class ShapeTable {
  private(set) var shapes: UnsafeMutablePointer<Shape>
  private(set) var count = 0
  private var capacity = 128
  /// A shape's number plus 1, or 0 for a free slot. Twice as many as `capacity`.
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

  /// The shape's number; a new one if the block has none like it yet.
  @inline(__always)
  func number(of key: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) &>> shift)
    while true {
      let found = slots[slot]
      if found == 0 { return add(key, slot: slot) }
      if shapes[Int(found) &- 1].key == key { return Int(found) &- 1 }
      slot = (slot &+ 1) & (capacity &* 2 &- 1)
    }
  }

  /// Forgets all shapes, at the cost of those that there were.
  func removeAll() {
    for index in 0..<count { slots[shapes[index].slot] = 0 }
    count = 0
  }

  private func add(_ key: UInt64, slot: Int) -> Int {
    if count == capacity {
      grow()
      return number(of: key)
    }
    (shapes + count).initialize(to: Shape(key: key, slot: slot))
    count += 1
    slots[slot] = UInt32(count)
    return count - 1
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
    var slot = Int(truncatingIfNeeded: (shapes[index].key &* 0x9e37_79b9_7f4a_7c15) &>> shift)
    while slots[slot] != 0 { slot = (slot + 1) & (capacity * 2 - 1) }
    slots[slot] = UInt32(index + 1)
    shapes[index].slot = slot
  }
}
