internal import CVarveSystem
internal import Synchronization
public import VarveProbe

/// A custom operator: its name, and a closure that handles the events of a stream.
///
/// Applied with `applying(_:)`, it behaves like the operators of the library. Whatever it sends,
/// from whichever thread, its output obeys the event grammar and is serial. Each start has its own
/// state. Names show the operator, and a trace records its values, their causes, and why other
/// values were swallowed.
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
/// Values that are stored to be sent later belong in a `Held`, so that the trace knows their
/// causes.
public struct StreamOperator<Input, InputFailure: Error, Output, OutputFailure: Error> {
  /// A closure that handles each event of the input. It is called serially, and never after a
  /// terminal event.
  public typealias Body = (Event<Input, InputFailure>) -> Void

  fileprivate let operation: Operation
  fileprivate let makeBody: (OperatorOutput<Output, OutputFailure>, Lifetime) -> Body

  /// Creates an operator.
  ///
  /// - Parameters:
  ///   - label: the operator's name in the form of a function's: `"chunks(of:)"`.
  ///   - arguments: the arguments that names show after the label's colons: `chunks(of: 3)`.
  ///   - reason: the reason a value is swallowed if the body sends nothing for it before returning;
  ///     recorded at the detailed level. An operator that stores values, or that has several
  ///     reasons, omits this and calls the output's `swallow(_:)` instead.
  ///   - traits: the kind of stream that the operator makes; used to find out why nothing arrives.
  ///   - makeBody: returns the closure that handles the events of one signal or one start, and that
  ///     holds the state. Its parameters are the output, which is interrupted when it is
  ///     released, and a lifetime that ends after the output.
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

// Safety: the closure is Sendable, and the body that it returns is confined to one stream.
extension StreamOperator: @unchecked Sendable {}

extension Signal {
  /// Returns the result of applying a custom operator to this signal. The operator observes at
  /// once.
  ///
  /// - *Events*: those that the operator sends; interrupted when the operator releases its output.
  /// - *Memory*: the state of the operator.
  /// - *Scheduling*: the thread on which the operator sends.
  public func applying<Output, OutputFailure>(
    _ custom: StreamOperator<Value, Failure, Output, OutputFailure>
  ) -> Signal<Output, OutputFailure> {
    Signal<Output, OutputFailure>(.custom(custom, of: feed))
  }
}

extension SignalProducer {
  /// Returns the result of applying a custom operator to this producer. Each start has its own
  /// state. See `Signal.applying(_:)`.
  public func applying<Output, OutputFailure>(
    _ custom: StreamOperator<Value, Failure, Output, OutputFailure>
  ) -> SignalProducer<Output, OutputFailure> {
    SignalProducer<Output, OutputFailure>(.custom(custom, of: feed))
  }
}

extension Junction {
  /// Creates a junction for a custom operator. It owns a root although it has only one input,
  /// because the operator may send from any thread.
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

/// The output of a custom operator: sends its events, and records the values that it swallows.
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

  /// Records that a held value goes no further, and why, at the detailed level.
  public func swallow<Held>(_ held: VarveReactive.Held<Held>, _ reason: AbsorptionReason) {
    account.input.swallow(held, reason)
  }

  /// Sends a value.
  override public func receive(_ value: Value) {
    account.noteAnswer()
    root.send(value)
  }

  /// Sends a terminal event.
  override public func terminate(_ termination: Termination<Failure>) {
    account.noteAnswer()
    root.send(termination)
  }
}

/// Tracks whether the body of an operator has responded to the value it is handling. Separate from
/// the output, because only the body may retain the output, not the input.
private final class BodyAccount: Sendable {
  let input: InputAccount
  let subscription = Subscription.newNumber()
  /// The thread that is handling a value and has not responded yet; 0 if there is none.
  private let open = Atomic<UInt>(0)

  init(of stream: StreamReference) { input = InputAccount(of: stream, from: subscription) }

  /// Notes that a value was sent or recorded as swallowed. A value sent by another thread is not a
  /// response.
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
    // The only input: everything that is sent came through it.
    root.feed.store(feed, ordering: .relaxed)
  }

  override func receive(_ value: Input) {
    guard let reason, InputAccount.isKept else { return body(.value(value)) }
    answers.expectAnswer(or: reason) { body(.value(value)) }
  }

  override func terminate(_ termination: Termination<InputFailure>) { body(Event(termination)) }
}
