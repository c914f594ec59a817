/// A set of stream IDs with a lookup time of about a nanosecond: a byte for each small ID and a
/// hash table for the rest, so that a huge ID costs no memory.
struct IdentifierSet: Sendable {
  private static let mostDense = 1 << 20
  private(set) var dense: [Bool] = []
  private var sparse: Set<UInt32> = []

  init(_ identifiers: some Sequence<UInt32>) {
    for identifier in identifiers { insert(identifier) }
  }

  mutating func insert(_ identifier: UInt32) {
    guard identifier < Self.mostDense else {
      sparse.insert(identifier)
      return
    }
    let missing = Int(identifier) + 1 - dense.count
    if missing > 0 { dense.append(contentsOf: repeatElement(false, count: missing)) }
    dense[Int(identifier)] = true
  }

  @inline(__always)
  func contains(_ identifier: UInt32, dense: UnsafeBufferPointer<Bool>) -> Bool {
    Int(identifier) < dense.count ? dense[Int(identifier)] : isSparse(identifier)
  }

  @inline(__always)
  func contains(_ identifier: UInt32) -> Bool {
    Int(identifier) < dense.count ? dense[Int(identifier)] : isSparse(identifier)
  }

  private func isSparse(_ identifier: UInt32) -> Bool {
    !sparse.isEmpty && sparse.contains(identifier)
  }
}
