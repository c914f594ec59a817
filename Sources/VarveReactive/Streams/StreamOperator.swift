internal import CVarveSystem
internal import Synchronization
public import VarveProbe

/// A custom operator: its name, and what it does with the events of a stream.
///
/// Once applied with `applying(_:)`, it is like the operators of the library. Whatever it sends,
/// from whichever thread, its output obeys the grammar and is serial. Each start has its own state.
/// Names show the operator, and a trace records its values, what caused them, and why others were
/// swallowed.
///
///     extension SignalProducer {
///       func everyOther() -> SignalProducer {
///         applying(
///           StreamOperator("everyOther()", absorbing: .pastLimit) { output, _ in
///             var isOdd = false
///             return { event in
///               guard case .value = event else { return output.send(event) }
///               isOdd.toggle()
///               if isOdd { output.send(event) }
///             }
///           })
///       }
///     }
///
/// Values that are put aside to be sent later belong in a `Held`, so that the trace knows where
/// they came from.
public struct StreamOperator<Input, InputFailure: Error, Output, OutputFailure: Error> {
  /// A closure that handles each event of the input. It is called serially, and never after a
  /// terminal event.
  public typealias Body = (Event<Input, InputFailure>) -> Void

  fileprivate let operation: Operation
  fileprivate let makeBody: (OperatorOutput<Output, OutputFailure>, Lifetime) -> Body

  /// Creates an operator.
  ///
  /// - Parameters:
  ///   - label: the operator's name, as that of a function: `"chunks(of:)"`.
  ///   - arguments: what names show after the label's colons: `chunks(of: 3)`.
  ///   - reason: why a value is swallowed for which the body sends nothing before it returns;
  ///     recorded at the detailed level. An operator that puts values aside, or that has several
  ///     reasons, leaves this out and calls `swallow(_:)` of its output instead.
  ///   - traits: what kind of stream the operator makes, for those who look for the reason why
  ///     nothing arrives.
  ///   - makeBody: makes what handles the events of one signal or of one start, and so keeps the
  ///     state. It gets the output, which is interrupted when nobody holds it any more, and a
  ///     lifetime that ends after the output has.
  @preconcurrency
  public init(
    _ label: StaticString, _ arguments: OperatorArgument...,
    absorbing reason: AbsorptionReason? = nil, traits: StreamTraits = [],
    _ makeBody:
      @escaping @Sendable (_ output: OperatorOutput<Output, OutputFailure>, _ lifetime: Lifetime)
      -> Body
  ) {
    operation = Operation(label, arguments, absorbs: reason, traits: traits)
    self.makeBody = makeBody
  }
}

// Safety: the closure is Sendable, and what it makes is confined to one stream.
extension StreamOperator: @unchecked Sendable {}

extension Signal {
  /// Returns the signal that a custom operator makes of this one. The operator observes at once.
  ///
  /// - *Events*: what the operator sends; interrupted when the operator releases its output.
  /// - *Memory*: what the operator keeps.
  /// - *Scheduling*: the thread on which the operator sends.
  public func applying<Output, OutputFailure>(
    _ custom: StreamOperator<Value, Failure, Output, OutputFailure>
  ) -> Signal<Output, OutputFailure> {
    Signal<Output, OutputFailure>(.custom(custom, of: feed))
  }
}

extension SignalProducer {
  /// Returns the producer that a custom operator makes of this one, with separate state for each
  /// start. See `Signal.applying(_:)`.
  public func applying<Output, OutputFailure>(
    _ custom: StreamOperator<Value, Failure, Output, OutputFailure>
  ) -> SignalProducer<Output, OutputFailure> {
    SignalProducer<Output, OutputFailure>(.custom(custom, of: feed))
  }
}

extension Junction {
  /// Creates a junction for a custom operator. It owns a root although it has one input, because
  /// the user may send from any thread.
  fileprivate static func custom<Input, InputFailure>(
    _ custom: StreamOperator<Input, InputFailure, Output, OutputFailure>,
    of feed: Feed<Input, InputFailure>
  ) -> Junction {
    Junction(custom.operation, of: feed) { outlet in
      let output = OperatorOutput(outlet.root)
      let body = custom.makeBody(output, Lifetime(outlet.disposables))
      return BodyInlet(outlet.root, output.account, absorbing: custom.operation.absorbs, body)
    }
  }
}

/// The output of a custom operator: sends its events, and records what it swallows.
///
/// Releasing an output interrupts it.
public final class OperatorOutput<Value, Failure: Error>: Signal<Value, Failure>.Observer,
  @unchecked Sendable
{
  // Safety: immutable; the root may be used from any thread.
  private let root: Root<Value, Failure>
  fileprivate let account: BodyAccount

  fileprivate init(_ root: Root<Value, Failure>) {
    self.root = root
    account = BodyAccount(of: root.reference)
    super.init(value: nil, failed: nil, completed: nil, interrupted: nil)
  }

  deinit { root.send(.interrupted) }

  /// Records that the current value goes no further, and why, at the detailed level.
  public func swallow(_ reason: AbsorptionReason) {
    account.noteAnswer()
    if InputAccount.isKept { account.input.swallow(reason) }
  }

  /// Records that a value that was put aside goes no further, and why, at the detailed level.
  public func swallow<Held>(_ held: VarveReactive.Held<Held>, _ reason: AbsorptionReason) {
    account.input.swallow(held, reason)
  }

  /// Sends a value.
  override public func receive(_ value: Value) {
    account.noteAnswer()
    root.send(value)
  }

  /// Sends the end.
  override public func terminate(_ termination: Termination<Failure>) {
    account.noteAnswer()
    root.send(termination)
  }
}

/// Whether the body of an operator has responded to the value it is handling. Separate from the
/// output, because only the body may keep the output, not the input.
private final class BodyAccount: Sendable {
  let input: InputAccount
  let subscription = Subscription.newNumber()
  /// The thread that is handling a value without a response so far; 0 if there is none.
  private let open = Atomic<UInt>(0)

  init(of stream: StreamReference) { input = InputAccount(of: stream, from: subscription) }

  /// Notes that a value was sent or recorded as swallowed. What other threads send meanwhile is not
  /// a response.
  @inline(__always)
  func noteAnswer() {
    guard InputAccount.isKept else { return }
    _ = open.compareExchange(
      expected: Self.thisThread, desired: 0, ordering: .relaxed)
  }

  /// Runs `body`, and records the current value as swallowed if there was no response.
  func expectAnswer(or reason: Absorption, _ body: () -> Void) {
    let outer = open.exchange(Self.thisThread, ordering: .relaxed)
    body()
    if open.exchange(outer, ordering: .relaxed) != 0 { input.swallow(reason) }
  }

  private static var thisThread: UInt { UInt(bitPattern: vv_thread_current()) }
}

/// Passes the events of the input to the user's closure.
private final class BodyInlet<Input, InputFailure: Error, Output, OutputFailure: Error>:
  Inlet<Input, InputFailure, Output, OutputFailure>
{
  private let body: (Event<Input, InputFailure>) -> Void
  private let answers: BodyAccount
  private let reason: Absorption?

  init(
    _ root: Root<Output, OutputFailure>, _ answers: BodyAccount, absorbing reason: Absorption?,
    _ body: @escaping (Event<Input, InputFailure>) -> Void
  ) {
    self.body = body
    self.answers = answers
    self.reason = reason
    super.init(root, number: answers.subscription)
    // The only input: whatever is sent came through it.
    root.feed.store(feed, ordering: .relaxed)
  }

  override func receive(_ value: Input) {
    guard let reason, InputAccount.isKept else { return body(.value(value)) }
    answers.expectAnswer(or: reason) { body(.value(value)) }
  }

  override func terminate(_ termination: Termination<InputFailure>) { body(Event(termination)) }
}
