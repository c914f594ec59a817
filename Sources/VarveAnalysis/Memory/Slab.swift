/// Values that are found by the slots that they were put into. They lie side by side, in pieces of
/// memory that stay where they are: to grow takes no second copy of them, and a table of slots is
/// smaller than one of values.
struct Slab<Value: Sendable>: Sendable {
  private var pieces: [ContiguousArray<Value>] = []
  /// Slots whose values are needed no more.
  private var free: [UInt32] = []

  /// So many values lie in a piece.
  private static var pieceCount: Int { 1_024 }

  /// Puts a value into a slot. Only a slot that was never used before takes memory, `bytes`; nil when
  /// there is none left.
  mutating func add(_ value: Value, taking bytes: Int, of memory: inout WalkMemory) -> UInt32? {
    if let slot = free.popLast() {
      self[slot] = value
      return slot
    }
    guard memory.take(bytes) else { return nil }
    if pieces.last.map({ $0.count == Self.pieceCount }) ?? true {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(Self.pieceCount)
    }
    pieces[pieces.count - 1].append(value)
    return UInt32((pieces.count - 1) * Self.pieceCount + pieces[pieces.count - 1].count - 1)
  }

  /// Lets a slot be used again.
  mutating func remove(_ slot: UInt32) { free.append(slot) }

  /// The value in a slot.
  subscript(slot: UInt32) -> Value {
    get { pieces[Int(slot) / Self.pieceCount][Int(slot) % Self.pieceCount] }
    _modify { yield &pieces[Int(slot) / Self.pieceCount][Int(slot) % Self.pieceCount] }
  }
}
