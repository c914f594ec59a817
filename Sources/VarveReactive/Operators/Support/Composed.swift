extension Signal {
  /// Combines several operators into one with its own name.
  ///
  ///     extension Signal where Value == String {
  ///       func words() -> Signal {
  ///         composed(as: "words()") { $0.filter { !$0.isEmpty }.skipRepeats() }
  ///       }
  ///     }
  ///     username.words()  // called username.words()
  ///
  /// - *Events*: those of the stream that `compose` returns.
  /// - *Memory*: none.
  /// - *Scheduling*: the thread on which that stream sends.
  ///
  /// - Parameters:
  ///   - label: the operator's name in the form of a function's: `"chunks(of:)"`.
  ///   - arguments: the arguments that names show after the label's colons: `chunks(of: 3)`.
  ///   - compose: applies the operators to this signal.
  public func composed<Output, OutputFailure>(
    as label: StaticString, _ arguments: OperatorArgument...,
    by compose: (Signal) -> Signal<Output, OutputFailure>
  ) -> Signal<Output, OutputFailure> {
    compose(self).applying(
      .passing(Operation(label, arguments)), receiver: .identity(identity))
  }
}

extension SignalProducer {
  /// Combines several operators into one with its own name. See `Signal.composed(as:_:by:)`.
  public func composed<Output, OutputFailure>(
    as label: StaticString, _ arguments: OperatorArgument...,
    by compose: (SignalProducer) -> SignalProducer<Output, OutputFailure>
  ) -> SignalProducer<Output, OutputFailure> {
    compose(self).applying(
      .passing(Operation(label, arguments)), receiver: .recipe(recipe))
  }
}
