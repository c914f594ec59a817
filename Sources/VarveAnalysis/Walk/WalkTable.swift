/// A dictionary that takes its memory from a walk and counts what there was no memory for as passed
/// over. The room of a removed value serves a later one.
///
/// Values are stored in chunks that stay in place, so growing never needs a second copy of them.
package struct WalkTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let walk: TraceWalk
  private let bytes: Int
  private let part: PassedOver.Part
  private var slots: [Key: UInt32] = [:]
  private var pieces: [ContiguousArray<Value>] = []
  /// Slots of removed values.
  private var free: [UInt32] = []

  /// The number of values in a chunk.
  private static var pieceCount: Int { 1_024 }

  /// Creates an empty table in which each value takes `bytes` bytes, including its table entry. A
  /// value for which there is no memory counts as one `part` passed over.
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

  /// The value for a key; nil when there is none.
  package subscript(key: Key) -> Value? { slots[key].map { self[slot: $0] } }

  /// Stores a value for a key in place of any earlier one; returns false when there is no memory.
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

  /// Changes the value for a key in place, if there is one.
  mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
    if let slot = slots[key] { body(&self[slot: slot]) }
  }

  /// Changes the value for a key in place, or a first value that it stores for the key; returns
  /// false when there is no memory for that.
  mutating func change(
    _ key: Key, orFirst first: @autoclosure () -> Value, _ body: (inout Value) -> Void
  ) -> Bool {
    guard slots[key] != nil || set(first(), for: key) else { return false }
    change(key, body)
    return true
  }

  /// Removes a key and returns its value.
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
