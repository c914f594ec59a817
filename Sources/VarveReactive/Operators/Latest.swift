/// One input's most recent value. A class, so that one input of a pack can write its own cell.
final class Latest<Value> {
  private var held: Held<Value>?

  /// Whether there has been a value.
  var isEmpty: Bool { held == nil }

  /// Replaces the value.
  func put(_ value: Value) { held = Held(value) }

  /// The value, for a delivery. There has to be one.
  func recall() -> Value { held.unsafelyUnwrapped.recall() }
}
