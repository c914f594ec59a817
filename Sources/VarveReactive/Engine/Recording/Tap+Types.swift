internal import CVarveSystem
internal import VarveProbe

// The taps of the most common types write a value without asking its type how to copy it, which is
// most of what a generic tap costs.

/// The tap of a stream of `Int`.
final class IntegerTap<Failure: Error>: Tap<Int, Failure> {
  override func receive(_ value: Int) {
    pass(value) { head, writer in
      head.emit(.integer, word: UInt64(bitPattern: Int64(value)), into: writer)
    }
  }
}

/// The tap of a stream of `Double`.
final class RealTap<Failure: Error>: Tap<Double, Failure> {
  override func receive(_ value: Double) {
    pass(value) { head, writer in head.emit(.real, word: value.bitPattern, into: writer) }
  }
}

/// The tap of a stream of `String`.
final class TextTap<Failure: Error>: Tap<String, Failure> {
  override func receive(_ value: String) {
    pass(value) { head, writer in head.emit(.string, text: value, into: writer) }
  }
}
