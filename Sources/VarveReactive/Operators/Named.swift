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

/// Delivers what it receives: a stream of its own in names and traces, and nothing else.
final class PassingStage<Value, Failure: Error>: ForwardingStage<Value, Value, Failure> {
  /// A stage in front of `downstream`, which delivers as `stream`.
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
  /// The same signal under a name, which replaces the derived one from here on.
  ///
  ///     keystrokes.map(\.text).named("query").skipRepeats()  // query.skipRepeats()
  ///
  /// - *Events*: all are forwarded as they are.
  /// - *Memory*: the name.
  /// - *Scheduling*: the sender's thread.
  ///
  /// What the stream was derived from stays known: a trace shows both.
  public func named(_ name: String, file: String = #fileID, line: UInt = #line) -> Signal {
    applying(
      .naming, name: name, place: SourcePlace(file: file, line: UInt32(clamping: line)))
  }
}

extension SignalProducer {
  /// The same producer under a name, which replaces the derived one from here on. See
  /// `Signal.named(_:)`.
  public func named(_ name: String, file: String = #fileID, line: UInt = #line) -> SignalProducer {
    applying(
      .naming, name: name, place: SourcePlace(file: file, line: UInt32(clamping: line)))
  }
}
