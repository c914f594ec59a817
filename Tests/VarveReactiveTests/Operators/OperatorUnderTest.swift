import Testing
import VarveReactive

/// An operator as the laws look at it: everything of its types but texts is hidden.
struct OperatorUnderTest: Sendable, CustomTestStringConvertible {
  /// What an operator does that others do not.
  enum Trait {
    /// It does something else with a failure of its input than forwarding it.
    case handlesFailure
    /// It starts its input again after a failure.
    case outlivesFailure
    /// Its input is an inner stream of it: when that is interrupted, the next one follows.
    case outlivesInterruption
    /// It sends the interruption as a value too.
    case showsInterruption
    /// It does not complete, or not only, because its input does.
    case outlivesCompletion
    /// It delivers on a scheduler: events come when the test lets time pass.
    case timed
    /// It needs nothing of its input, and starts nothing.
    case needsNoInput
  }

  /// How the operator extends the name `source`: `source.map(_:)`; in ReactiveCocoa 2's form,
  /// `[source] -map:`.
  let name: String
  let bracketName: String
  let inputCount: Int
  let canFail: Bool
  let traits: Set<Trait>
  /// Applies the operator to a signal and attaches so many observers; nil when signals lack it.
  let hot: (@Sendable (_ observers: Int) -> Trial)?
  /// Applies the operator to a producer and starts the result so many times; nil when this entry is
  /// about signals alone.
  let cold: (@Sendable (_ starts: Int) -> Trial)?

  var testDescription: String { name }

  /// Whether the result ends, at the latest, when the input does so.
  func ends(with ending: Ending) -> Bool {
    switch ending {
    case .completed: !traits.contains(.outlivesCompletion)
    case .failed: !traits.contains(.outlivesFailure)
    case .interrupted: true
    }
  }

  /// The ways in which its input can end.
  var endings: [Ending] { canFail ? Ending.allCases : [.completed, .interrupted] }

  /// An operator, and inputs that make it send at least one value before or at completion.
  ///
  /// - Parameters:
  ///   - label: what the operator adds to the name of its input; nil for nothing.
  ///   - older: what it adds in ReactiveCocoa 2's form.
  ///   - failure: what the input fails with; nil when it cannot.
  init<Input: Sendable, InputFailure: Error, Output, OutputFailure>(
    _ label: String?, _ older: String?, inputs: [Input], failure: InputFailure?,
    traits: Set<Trait> = [],
    scheduledHot:
      @escaping @Sendable (Signal<Input, InputFailure>, TestScheduler) -> Signal<
        Output, OutputFailure
      >,
    scheduledCold:
      @escaping @Sendable (
        SignalProducer<Input, InputFailure>, TestScheduler
      ) -> SignalProducer<Output, OutputFailure>
  ) {
    let timed = traits.contains(.timed)
    self.init(
      label, older, inputCount: inputs.count, canFail: failure != nil, traits: traits,
      hot: { Trial.hot(inputs, failure: failure, observers: $0, timed: timed, scheduledHot) },
      cold: { Trial.cold(inputs, failure: failure, starts: $0, timed: timed, scheduledCold) })
  }

  /// An operator that only producers have.
  init<Input: Sendable, Output, OutputFailure>(
    _ label: String?, _ older: String?, inputs: [Input], traits: Set<Trait> = [],
    coldOnly:
      @escaping @Sendable (SignalProducer<Input, TestFailure>) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(label, older, inputCount: inputs.count, canFail: true, traits: traits, hot: nil) {
      Trial.cold(inputs, failure: TestFailure(), starts: $0, timed: false) { source, _ in
        coldOnly(source)
      }
    }
  }

  /// An operator on signals, where producers would need other inputs to do the same.
  init<Input: Sendable, Output, OutputFailure>(
    _ label: String?, _ older: String?, inputs: [Input], traits: Set<Trait> = [],
    hotOnly: @escaping @Sendable (Signal<Input, TestFailure>) -> Signal<Output, OutputFailure>
  ) {
    self.init(
      label, older, inputCount: inputs.count, canFail: true, traits: traits,
      hot: {
        Trial.hot(inputs, failure: TestFailure(), observers: $0, timed: false) { source, _ in
          hotOnly(source)
        }
      }, cold: nil)
  }

  private init(
    _ label: String?, _ older: String?, inputCount: Int, canFail: Bool, traits: Set<Trait>,
    hot: (@Sendable (Int) -> Trial)?, cold: (@Sendable (Int) -> Trial)?
  ) {
    // A static function of its inputs has no receiver.
    let isFunction = older?.hasPrefix("+") ?? false
    name = label.map { isFunction ? $0 : "source.\($0)" } ?? "source"
    bracketName = older.map { isFunction ? $0 : "[source] \($0)" } ?? "source"
    self.inputCount = inputCount
    self.canFail = canFail
    self.traits = traits
    self.hot = hot
    self.cold = cold
  }

  /// An operator on inputs that can fail.
  init<Input: Sendable, Output, OutputFailure>(
    _ label: String?, _ older: String?, inputs: [Input], traits: Set<Trait> = [],
    hot: @escaping @Sendable (Signal<Input, TestFailure>) -> Signal<Output, OutputFailure>,
    cold:
      @escaping @Sendable (SignalProducer<Input, TestFailure>) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(
      label, older, inputs: inputs, failure: TestFailure(), traits: traits,
      scheduledHot: { signal, _ in hot(signal) }, scheduledCold: { producer, _ in cold(producer) })
  }

  /// An operator on inputs that cannot fail.
  init<Input: Sendable, Output, OutputFailure>(
    _ label: String?, _ older: String?, infallibleInputs inputs: [Input],
    traits: Set<Trait> = [],
    hot: @escaping @Sendable (Signal<Input, Never>) -> Signal<Output, OutputFailure>,
    cold:
      @escaping @Sendable (SignalProducer<Input, Never>) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(
      label, older, inputs: inputs, failure: Never?.none, traits: traits,
      scheduledHot: { signal, _ in hot(signal) }, scheduledCold: { producer, _ in cold(producer) })
  }
}
