/// Values for streams, found without a hash and changed in place.
///
/// For what is looked up for each of millions of events. Values are never removed.
struct StreamTable<Value> {
  private var slots = StreamSlots()
  private var entries: [Entry] = []

  private struct Entry {
    let stream: UInt32
    var value: Value
  }

  /// Whether there are no values.
  var isEmpty: Bool { entries.isEmpty }

  /// The streams that have a value.
  var streams: some Sequence<UInt32> { entries.lazy.map(\.stream) }

  /// The values, in the order of their streams.
  var inOrder: [(stream: UInt32, value: Value)] {
    entries.map { ($0.stream, $0.value) }.sorted { $0.0 < $1.0 }
  }

  /// Returns whether a stream has a value.
  func contains(_ stream: UInt32) -> Bool { slots.find(stream) != nil }

  /// The value of a stream; nil when it has none.
  subscript(stream: UInt32) -> Value? { slots.find(stream).map { entries[$0].value } }

  /// Adds a value for a stream, if it has none.
  mutating func add(_ stream: UInt32, _ value: Value) {
    guard !contains(stream) else { return }
    slots.add(stream, slot: entries.count)
    entries.append(Entry(stream: stream, value: value))
  }

  /// Changes the value of a stream, if it has one.
  mutating func change(_ stream: UInt32, _ body: (inout Value) -> Void) {
    if let slot = slots.find(stream) { body(&entries[slot].value) }
  }
}
