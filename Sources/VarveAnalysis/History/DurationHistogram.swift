/// A histogram of durations, accurate to within 3 %, that takes a few kilobytes for any number of
/// them.
public struct DurationHistogram: Sendable {
  /// The number of durations.
  public private(set) var count: UInt64 = 0
  /// The longest duration, exact, in nanoseconds.
  public private(set) var longest: UInt64 = 0
  /// The sum of all durations, in nanoseconds.
  public private(set) var total: UInt64 = 0
  /// Counts from the bucket of the shortest duration to that of the longest.
  private var buckets: [UInt64] = []
  private var firstBucket = 0

  /// The number of buckets for each power of two.
  private static let divisions = 32

  /// Adds a duration in nanoseconds; returns false when there is no memory for it.
  mutating func add(_ nanoseconds: UInt64, _ walk: TraceWalk) -> Bool {
    let bucket = Self.bucket(nanoseconds)
    guard reach(bucket, walk) else { return false }
    buckets[bucket - firstBucket] += 1
    count += 1
    longest = max(longest, nanoseconds)
    total = total.addingReportingOverflow(nanoseconds).partialValue
    return true
  }

  private mutating func reach(_ bucket: Int, _ walk: TraceWalk) -> Bool {
    if buckets.isEmpty { firstBucket = bucket }
    let below = max(firstBucket - bucket, 0)
    let above = max(bucket + 1 - firstBucket - buckets.count, 0)
    guard below + above > 0 else { return true }
    // An array may reserve twice the room it needs.
    guard walk.take((below + above) * 16) else { return false }
    buckets.insert(contentsOf: repeatElement(0, count: below), at: 0)
    buckets.append(contentsOf: repeatElement(0, count: above))
    firstBucket -= below
    return true
  }

  /// Returns the duration that the given part of all durations, from 0 to 1, does not exceed; 0
  /// when there are none.
  public func quantile(_ part: Double) -> UInt64 {
    guard count > 0 else { return 0 }
    let rank = max(UInt64((Double(count) * part).rounded(.up)), 1)
    var seen: UInt64 = 0
    for (bucket, number) in buckets.enumerated() {
      seen += number
      if seen >= rank { return min(Self.largest(in: firstBucket + bucket), longest) }
    }
    return longest
  }

  private static func bucket(_ nanoseconds: UInt64) -> Int {
    guard nanoseconds >= UInt64(divisions) else { return Int(nanoseconds) }
    let exponent = 63 - nanoseconds.leadingZeroBitCount
    let shift = exponent - 5
    return (shift + 1) * divisions + Int(nanoseconds >> UInt64(shift)) - divisions
  }

  private static func largest(in bucket: Int) -> UInt64 {
    guard bucket >= divisions else { return UInt64(bucket) }
    let shift = UInt64(bucket / divisions - 1)
    let mantissa = UInt64(bucket % divisions + divisions)
    return (mantissa + 1) << shift &- 1
  }
}
