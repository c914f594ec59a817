public import VarveReactive

/// An operator to be checked against the laws: its application, its inputs, and its name.
///
///     OperatorUnderTest(
///       "everyOther()", inputs: [1, 2, 3],
///       hot: { $0.everyOther() }, cold: { $0.everyOther() })
///
/// Its types are erased to text, so that operators of all kinds fit in one table. For the given
/// inputs, the operator must send a value before or when its input completes.
public struct OperatorUnderTest: Sendable, CustomStringConvertible {
  /// The particular behaviors of an operator.
  public enum Trait: Sendable {
    /// The operator does not forward failures of its input but handles them.
    case handlesFailure
    /// The operator restarts its input after a failure.
    case outlivesFailure
    /// The input is an inner stream of the operator: if it is interrupted, the next one follows.
    case outlivesInterruption
    /// The operator sends an interruption also as a value.
    case showsInterruption
    /// The completion of the operator does not, or not only, follow from that of its input.
    case outlivesCompletion
    /// The operator delivers on a scheduler: events arrive when the test advances the time.
    case timed
    /// The operator needs no input and starts nothing.
    case needsNoInput
    /// The starts of the operator share one run of its input.
    case sharesRun
    /// The operator is a static function of its inputs: its name has no receiver.
    case isFunction
  }

  /// The name of the result for an input named `source`: `source.map(_:)`.
  package let name: String
  package let inputCount: Int
  let canFail: Bool
  package let traits: Set<Trait>
  /// Applies the operator to a signal and adds a number of observers; nil if the operator does not
  /// exist on signals.
  package let hot: (@Sendable (_ observers: Int) -> Trial)?
  /// Applies the operator to a producer and starts the result a number of times; nil if this entry
  /// is for signals only.
  package let cold: (@Sendable (_ starts: Int) -> Trial)?

  /// The name of the result.
  public var description: String { name }

  private init(
    _ label: String, inputCount: Int, canFail: Bool, traits: Set<Trait>,
    hot: (@Sendable (Int) -> Trial)?, cold: (@Sendable (Int) -> Trial)?
  ) {
    name = label.isEmpty ? "source" : traits.contains(.isFunction) ? label : "source.\(label)"
    self.inputCount = inputCount
    self.canFail = canFail
    self.traits = traits
    self.hot = hot
    self.cold = cold
  }
}

extension OperatorUnderTest {
  /// Creates an operator for inputs that can fail.
  ///
  /// - Parameters:
  ///   - label: the part that the operator appends to the name of its input: `take(first: 2)`; may
  ///     be empty.
  ///   - inputs: the values to send to the operator.
  ///   - traits: the particular behaviors of the operator.
  ///   - hot: applies the operator to a signal.
  ///   - cold: applies the operator to a producer.
  public init<Input: Sendable, Output, OutputFailure>(
    _ label: String, inputs: [Input], traits: Set<Trait> = [],
    hot: @escaping @Sendable (Signal<Input, TestFailure>) -> Signal<Output, OutputFailure>,
    cold:
      @escaping @Sendable (SignalProducer<Input, TestFailure>) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(
      label, inputs: inputs, failure: TestFailure(), traits: traits,
      scheduledHot: { signal, _ in hot(signal) }, scheduledCold: { producer, _ in cold(producer) })
  }

  /// Creates an operator for inputs that cannot fail.
  public init<Input: Sendable, Output, OutputFailure>(
    _ label: String, infallibleInputs inputs: [Input],
    traits: Set<Trait> = [],
    hot: @escaping @Sendable (Signal<Input, Never>) -> Signal<Output, OutputFailure>,
    cold:
      @escaping @Sendable (SignalProducer<Input, Never>) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(
      label, inputs: inputs, failure: Never?.none, traits: traits,
      scheduledHot: { signal, _ in hot(signal) }, scheduledCold: { producer, _ in cold(producer) })
  }

  /// Creates an operator that delivers on the given scheduler. It needs the trait `timed` if it
  /// does not deliver at once.
  public init<Input: Sendable, Output, OutputFailure>(
    _ label: String, inputs: [Input], traits: Set<Trait> = [.timed],
    scheduledHot:
      @escaping @Sendable (Signal<Input, TestFailure>, TestScheduler) -> Signal<
        Output, OutputFailure
      >,
    scheduledCold:
      @escaping @Sendable (SignalProducer<Input, TestFailure>, TestScheduler) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(
      label, inputs: inputs, failure: TestFailure(), traits: traits,
      scheduledHot: scheduledHot, scheduledCold: scheduledCold)
  }

  /// Creates an operator that exists only on producers.
  public init<Input: Sendable, Output, OutputFailure>(
    _ label: String, inputs: [Input], traits: Set<Trait> = [],
    coldOnly:
      @escaping @Sendable (SignalProducer<Input, TestFailure>) -> SignalProducer<
        Output, OutputFailure
      >
  ) {
    self.init(
      label, inputs: inputs, failure: TestFailure(), traits: traits, scheduledHot: nil,
      scheduledCold: { producer, _ in coldOnly(producer) })
  }

  /// Creates an operator for signals only, if producers lack it or would need other inputs for the
  /// same effect.
  public init<Input: Sendable, Output, OutputFailure>(
    _ label: String, inputs: [Input], traits: Set<Trait> = [],
    hotOnly: @escaping @Sendable (Signal<Input, TestFailure>) -> Signal<Output, OutputFailure>
  ) {
    self.init(
      label, inputs: inputs, failure: TestFailure(), traits: traits,
      scheduledHot: { signal, _ in hotOnly(signal) }, scheduledCold: nil)
  }

  /// Creates an operator for inputs that fail with `failure`, or cannot fail if that is nil.
  package init<Input: Sendable, InputFailure: Error, Output, OutputFailure>(
    _ label: String, inputs: [Input], failure: InputFailure?,
    traits: Set<Trait> = [],
    scheduledHot: (
      @Sendable (Signal<Input, InputFailure>, TestScheduler) -> Signal<Output, OutputFailure>
    )?,
    scheduledCold: (
      @Sendable (SignalProducer<Input, InputFailure>, TestScheduler) -> SignalProducer<
        Output, OutputFailure
      >
    )?
  ) {
    let timed = traits.contains(.timed)
    var hot: (@Sendable (Int) -> Trial)?
    var cold: (@Sendable (Int) -> Trial)?
    if let scheduledHot {
      hot = { Trial.hot(inputs, failure: failure, observers: $0, timed: timed, scheduledHot) }
    }
    if let scheduledCold {
      cold = { Trial.cold(inputs, failure: failure, starts: $0, timed: timed, scheduledCold) }
    }
    self.init(
      label, inputCount: inputs.count, canFail: failure != nil, traits: traits, hot: hot,
      cold: cold)
  }
}

extension OperatorUnderTest {
  /// The ways in which the input can end.
  package var endings: [Ending] { canFail ? Ending.allCases : [.completed, .interrupted] }

  /// Returns whether the result ends no later than the input for this kind of end.
  func ends(with ending: Ending) -> Bool {
    switch ending {
    case .completed: !traits.contains(.outlivesCompletion)
    case .failed: !traits.contains(.outlivesFailure)
    case .interrupted: true
    }
  }

  /// The events that an observer receives when its start is disposed of.
  var interruption: [String] {
    traits.contains(.showsInterruption) ? ["VALUE INTERRUPTED", "INTERRUPTED"] : ["INTERRUPTED"]
  }

  /// Returns a hot and a cold trial with a number of observers or starts, as far as the operator
  /// supports them.
  func all(_ count: Int) -> [Trial] { [hot, cold].compactMap { $0?(count) } }

  /// Returns these trials for each way in which the input can end.
  package func trials() -> [(Trial, Ending)] {
    endings.flatMap { ending in all(1).map { ($0, ending) } }
  }

  /// Returns the events that the observers receive, in order, for all inputs and each end.
  package func everythingSeen() -> [[String]] {
    trials().map { trial, ending in
      for index in 0..<inputCount { trial.send(index) }
      trial.end(ending)
      return trial.events
    }
  }
}
