/// The record that an element comes from, which may be in another thread's ring: nothing, unless a
/// recording was running then.
struct Origin: Sendable {
  /// The record's reference, or 0.
  var record: UInt64 = 0
  /// The record's tick, or 0: what the element leads to is recorded as later.
  var tick: UInt64 = 0
}
