/// What becomes of values that come faster than an `await` loop takes them. A stream does not wait
/// for who reads it.
public enum AsyncBuffering: Sendable, Hashable {
  /// All are kept until they are read.
  case unbounded
  /// The newest so many are kept; older ones are dropped. A trace tells which.
  case newest(Int)
  /// The oldest so many are kept; newer ones are dropped. A trace tells which.
  case oldest(Int)
}
