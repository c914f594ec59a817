extension UnaryOperator where Input == Output, InputFailure == OutputFailure {
  static var naming: Self {
    passing(
      Operation("named(_:)", traits: .renames, isTransparent: true))
  }

  /// An operator that changes nothing but the name.
  static func passing(_ operation: Operation) -> Self {
    Self(operation) { PassingStage() }
  }
}

/// Forwards events unchanged. It is a separate stream only in names and traces.
final class PassingStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure> {
  /// Returns a stage before `downstream` that delivers as `stream`.
  static func leading(
    to downstream: Observer<Value, Failure>, as stream: StreamReference
  ) -> PassingStage {
    let stage = PassingStage()
    stage.link(into: downstream, as: stream)
    return stage
  }

  override func receive(_ value: Value) { forward(value) }
}

extension Signal {
  /// Names the signal. The name replaces the derived one from here on.
  ///
  ///     keystrokes.map(\.text).named("query").skipRepeats()  // query.skipRepeats()
  ///
  /// - *Events*: all events are forwarded unchanged.
  /// - *Memory*: the name.
  /// - *Scheduling*: the sender's thread.
  ///
  /// The derivation of the stream is kept: a trace shows both.
  public func named(_ name: String, file: String = #fileID, line: UInt = #line) -> Signal {
    applying(
      .naming, name: name, place: SourcePlace(file: file, line: UInt32(clamping: line)))
  }
}

extension SignalProducer {
  /// Names the producer. The name replaces the derived one from here on. See `Signal.named(_:)`.
  public func named(_ name: String, file: String = #fileID, line: UInt = #line) -> SignalProducer {
    applying(
      .naming, name: name, place: SourcePlace(file: file, line: UInt32(clamping: line)))
  }
}
