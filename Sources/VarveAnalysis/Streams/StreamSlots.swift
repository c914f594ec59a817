/// A map from stream IDs to slots. Most IDs are small, and a hash lookup takes longer than what is
/// usually done for an event.
@usableFromInline
package struct StreamSlots: Sendable {
  @usableFromInline
  package private(set) var dense: [UInt32] = []
  private var sparse: [UInt32: UInt32] = [:]

  /// IDs from here on are looked up in a dictionary.
  private static let mostDense = 1 << 20

  /// Creates an empty map.
  package init() {}

  /// Returns the slot of a stream; nil when it has none.
  @inlinable
  package func find(_ stream: UInt32) -> Int? {
    guard Int(stream) < dense.count else { return findSparse(stream) }
    let slot = dense[Int(stream)]
    return slot == .max ? nil : Int(slot)
  }

  @usableFromInline
  package func findSparse(_ stream: UInt32) -> Int? {
    sparse.isEmpty ? nil : sparse[stream].map { Int($0) }
  }

  /// Sets the slot of a stream.
  package mutating func add(_ stream: UInt32, slot: Int) {
    guard Int(stream) < Self.mostDense else {
      sparse[stream] = UInt32(slot)
      return
    }
    let missing = Int(stream) + 1 - dense.count
    if missing > 0 { dense.append(contentsOf: repeatElement(.max, count: missing)) }
    dense[Int(stream)] = UInt32(slot)
  }
}
