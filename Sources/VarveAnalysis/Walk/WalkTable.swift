/// A dictionary that takes its memory from a walk and counts what there was no memory for as passed
/// over. The room of a removed value serves a later one.
///
/// Values are stored in chunks that stay in place, so growing never needs a second copy of them.
@usableFromInline
package struct WalkTable<Key: WalkKey, Value: Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    @usableFromInline var key: Key
    @usableFromInline var value: Value

    @usableFromInline
    init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }
  }

  @usableFromInline let walk: TraceWalk
  @usableFromInline let bytes: Int
  @usableFromInline let part: PassedOver.Part
  @usableFromInline var index = WalkIndex()
  @usableFromInline var pieces: [ContiguousArray<Entry>] = []
  /// Slots of removed values.
  @usableFromInline var free: [Int] = []

  /// The number of values in a chunk.
  @usableFromInline static var pieceCount: Int { 1_024 }

  /// Creates an empty table in which each value takes `bytes` bytes, including its table entry. A
  /// value for which there is no memory counts as one `part` passed over.
  package init(_ walk: TraceWalk, bytes: Int, of part: PassedOver.Part) {
    self.walk = walk
    self.bytes = bytes
    self.part = part
  }

  /// The keys of all values.
  var keys: some Collection<Key> { index.slots.lazy.map { self[slot: $0].key } }

  /// All values.
  var values: some Collection<Value> { index.slots.lazy.map { self[slot: $0].value } }

  /// All values with their keys.
  package var entries: some Collection<(key: Key, value: Value)> {
    index.slots.lazy.map { (self[slot: $0].key, self[slot: $0].value) }
  }

  /// The value for a key; nil when there is none.
  @inlinable
  package subscript(key: Key) -> Value? { slot(key).map { self[slot: $0].value } }

  /// Stores a value for a key in place of any earlier one; returns false when there is no memory.
  @inlinable
  @discardableResult
  package mutating func set(_ value: Value, for key: Key) -> Bool {
    if let slot = slot(key) {
      self[slot: slot].value = value
      return true
    }
    return add(value, for: key)
  }

  /// Stores a value for a key that has none; returns false when there is no memory.
  @inlinable
  @discardableResult
  package mutating func add(_ value: Value, for key: Key) -> Bool {
    let entry = Entry(key: key, value: value)
    if let slot = free.popLast() {
      self[slot: slot] = entry
      index.insert(key, slot: slot)
    } else {
      guard walk.take(bytes, or: part) else { return false }
      index.insert(key, slot: append(entry))
    }
    return true
  }

  /// Changes the value for a key in place, if there is one.
  @inlinable
  package mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
    if let slot = slot(key) { body(&self[slot: slot].value) }
  }

  /// Returns the place of a key's value, which it keeps until the key is removed; nil when there is
  /// neither a value nor memory for the first one.
  @inlinable
  package mutating func slot(_ key: Key, orFirst first: @autoclosure () -> Value) -> Int? {
    slot(key) ?? (set(first(), for: key) ? slot(key) : nil)
  }

  /// Changes the value for a key in place, or a first value that it stores for the key; returns
  /// false when there is no memory for that.
  @inlinable
  package mutating func change(
    _ key: Key, orFirst first: @autoclosure () -> Value, _ body: (inout Value) -> Void
  ) -> Bool {
    if let slot = slot(key) {
      body(&self[slot: slot].value)
      return true
    }
    guard set(first(), for: key) else { return false }
    change(key, body)
    return true
  }

  /// Removes a key and returns its value.
  @inlinable
  @discardableResult
  package mutating func removeValue(forKey key: Key) -> Value? {
    guard let bucket = index.find(key, where: { self[slot: $0].key == key }) else {
      return nil
    }
    let slot = index.slot(bucket)
    index.remove(bucket)
    free.append(slot)
    return self[slot: slot].value
  }

  @inlinable
  func slot(_ key: Key) -> Int? {
    index.find(key) { self[slot: $0].key == key }.map(index.slot)
  }

  @usableFromInline
  mutating func append(_ entry: Entry) -> Int {
    if pieces.last.map({ $0.count == Self.pieceCount }) ?? true {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(Self.pieceCount)
    }
    pieces[pieces.count - 1].append(entry)
    return (pieces.count - 1) * Self.pieceCount + pieces[pieces.count - 1].count - 1
  }

  @inlinable
  subscript(slot slot: Int) -> Entry {
    get { pieces[slot / Self.pieceCount][slot % Self.pieceCount] }
    _modify { yield &pieces[slot / Self.pieceCount][slot % Self.pieceCount] }
  }
}
