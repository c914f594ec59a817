/// What the last observer of every workload does with a value: adds it up. Raw memory, so that the
/// observer itself costs next to nothing and as much for each library.
@frozen
public struct Tally: @unchecked Sendable {
  // Safety: a workload delivers on one thread at a time.
  @usableFromInline let sum: UnsafeMutablePointer<Int>

  /// Starts at 0. Its eight bytes live as long as the process.
  public init() {
    sum = .allocate(capacity: 1)
    sum.initialize(to: 0)
  }

  /// Adds a value.
  @inlinable @inline(__always)
  public func add(_ value: Int) { sum.pointee &+= value }

  /// What has been added.
  public var total: Int { sum.pointee }
}
