/// A dictionary that takes what it needs from a walk, and lets the walk count what there was no memory
/// for. What is removed leaves its place to what comes next.
///
/// The values lie in pieces of memory that stay where they are: to grow takes no second copy of them.
package struct WalkTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let walk: TraceWalk
  private let bytes: Int
  private let part: PassedOver.Part
  private var slots: [Key: UInt32] = [:]
  private var pieces: [ContiguousArray<Value>] = []
  /// Slots whose values are needed no more.
  private var free: [UInt32] = []

  /// So many values lie in a piece.
  private static var pieceCount: Int { 1_024 }

  /// An empty table. To remember one more value takes `bytes`, with its place in the table; one that
  /// finds no memory counts as one `part` that was passed over.
  package init(_ walk: TraceWalk, bytes: Int, of part: PassedOver.Part) {
    self.walk = walk
    self.bytes = bytes
    self.part = part
  }

  /// The keys of all values.
  var keys: some Collection<Key> { slots.keys }

  /// All values.
  var values: some Collection<Value> { slots.values.lazy.map { self[slot: $0] } }

  /// All values with their keys.
  var entries: some Collection<(key: Key, value: Value)> {
    slots.lazy.map { ($0.key, self[slot: $0.value]) }
  }

  /// The value of a key; nil when there is none.
  package subscript(key: Key) -> Value? { slots[key].map { self[slot: $0] } }

  /// Remembers a value in the place of what a key had before; returns false when there is no memory.
  @discardableResult
  package mutating func set(_ value: Value, for key: Key) -> Bool {
    if let slot = slots[key] {
      self[slot: slot] = value
    } else if let slot = free.popLast() {
      self[slot: slot] = value
      slots[key] = slot
    } else {
      guard walk.take(bytes, or: part) else { return false }
      slots[key] = append(value)
    }
    return true
  }

  /// Changes the value of a key where it lies, if there is one.
  mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
    if let slot = slots[key] { body(&self[slot: slot]) }
  }

  /// Changes the value of a key where it lies, or a first one; returns false when there is neither that
  /// nor memory.
  mutating func change(
    _ key: Key, orFirst first: @autoclosure () -> Value, _ body: (inout Value) -> Void
  ) -> Bool {
    guard slots[key] != nil || set(first(), for: key) else { return false }
    change(key, body)
    return true
  }

  /// Forgets a key and returns its value.
  @discardableResult
  package mutating func removeValue(forKey key: Key) -> Value? {
    guard let slot = slots.removeValue(forKey: key) else { return nil }
    free.append(slot)
    return self[slot: slot]
  }

  private mutating func append(_ value: Value) -> UInt32 {
    if pieces.last.map({ $0.count == Self.pieceCount }) ?? true {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(Self.pieceCount)
    }
    pieces[pieces.count - 1].append(value)
    return UInt32((pieces.count - 1) * Self.pieceCount + pieces[pieces.count - 1].count - 1)
  }

  private subscript(slot slot: UInt32) -> Value {
    get { pieces[Int(slot) / Self.pieceCount][Int(slot) % Self.pieceCount] }
    _modify { yield &pieces[Int(slot) / Self.pieceCount][Int(slot) % Self.pieceCount] }
  }
}
