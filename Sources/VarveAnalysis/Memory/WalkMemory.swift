/// How much a walk over a trace may remember for as long as it lasts: observations that have not
/// ended, work that has not begun, and the like.
///
/// Sixteen thousand events can lie in a hundred bytes of a trace, so a small file can tell of any
/// number of such things. Those of a program that was recorded take more of its file than a
/// thirty-second part of what it takes to remember them, or are few. What is beyond is passed over,
/// counted, and told.
package struct WalkMemory: Sendable {
  private var left: Int

  /// So many bytes are remembered at least …
  private static let least: UInt64 = 32 << 20
  /// … or so many for each byte of the file.
  private static let bytesPerByte: UInt64 = 32
  /// So many streams that the trace does not define are told apart.
  static let mostUndefined = 65_536

  /// Memory for a walk over a trace; for one of `sharers` walks whose results are needed together.
  package init(_ source: some EventSource, sharers: UInt64 = 1) {
    let scaled = source.bytes.multipliedReportingOverflow(by: Self.bytesPerByte)
    let all = scaled.overflow ? UInt64.max : max(scaled.partialValue, Self.least)
    left = Int(min(all / sharers, UInt64(Int.max)))
  }

  /// Takes so many bytes; returns false, and takes none, when there are not as many left.
  package mutating func take(_ bytes: Int) -> Bool {
    guard bytes <= left else { return false }
    left -= bytes
    return true
  }

  /// Gives back so many bytes that were taken, of what is remembered no more.
  package mutating func giveBack(_ bytes: Int) { left += bytes }
}

/// How many things of one kind were remembered at a time, at most: only more than these take further
/// memory.
package struct HighWater: Sendable {
  private var most = 0

  /// There were none.
  package init() {}

  /// Lets there be `count` of them, each of so many bytes; returns false when there is no memory.
  package mutating func rise(to count: Int, each bytes: Int, _ memory: inout WalkMemory) -> Bool {
    guard count > most else { return true }
    guard memory.take(bytes * (count - most)) else { return false }
    most = count
    return true
  }
}
