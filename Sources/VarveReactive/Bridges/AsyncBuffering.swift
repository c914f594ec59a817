/// The treatment of values that arrive faster than an `await` loop reads them. A stream does not
/// wait for its readers.
public enum AsyncBuffering: Sendable, Hashable {
  /// All values are kept until they are read.
  case unbounded
  /// The newest values are kept, up to this number; older ones are dropped. A trace shows which.
  case newest(Int)
  /// The oldest values are kept, up to this number; newer ones are dropped. A trace shows which.
  case oldest(Int)
}
