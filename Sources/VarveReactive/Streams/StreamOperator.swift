internal import Synchronization
public import VarveProbe

/// An operator of your own: what it is called, and what it does with the events of a stream.
///
/// It is applied with `applying(_:)`, and is then like the operators of the library. Whatever it
/// sends, and from whichever thread, its output obeys the grammar and comes serially; each start has
/// a state of its own; names show it; a trace records its values, what caused them, and why others
/// were swallowed.
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
/// Values that are put aside to be sent later belong in a `Held`, so that the trace knows where they
/// came from.
public struct StreamOperator<Input, InputFailure: Error, Output, OutputFailure: Error> {
  /// What is done with each event of the input. It is called serially, and nothing comes after a
  /// terminal event.
  public typealias Body = (Event<Input, InputFailure>) -> Void

  fileprivate let operation: Operation
  fileprivate let makeBody: (Signal<Output, OutputFailure>.Observer, Lifetime) -> Body

  /// Creates an operator.
  ///
  /// - Parameters:
  ///   - label: the operator as names show it, each `$` standing for the next of the arguments:
  ///     `"chunks(of: $)"`.
  ///   - arguments: what the `$`s stand for.
  ///   - older: the same in ReactiveCocoa 2's form: `"-chunksOf: $"`. The label if nil.
  ///   - reason: why it swallows values, if it does; recorded at the detailed level.
  ///   - makeBody: makes what handles the events of one signal or of one start, and so keeps the
  ///     state. It gets the output, which is interrupted when nobody holds it any more, and a
  ///     lifetime that ends after the output has.
  @preconcurrency
  public init(
    _ label: StaticString, _ arguments: OperatorArgument..., older: StaticString? = nil,
    absorbing reason: AbsorptionReason? = nil,
    _ makeBody:
      @escaping @Sendable (_ output: Signal<Output, OutputFailure>.Observer, _ lifetime: Lifetime)
      -> Body
  ) {
    operation = Operation(label, older: older, arguments, absorbs: reason)
    self.makeBody = makeBody
  }
}

// Safety: the closure is Sendable, and what it makes is confined to one stream.
extension StreamOperator: @unchecked Sendable {}

extension Signal {
  /// The signal that an operator of your own makes of this one. The operator observes at once.
  ///
  /// - *Events*: what the operator sends; it is interrupted when it lets go of its output.
  /// - *Memory*: what the operator keeps.
  /// - *Scheduling*: the thread on which the operator sends.
  public func applying<Output, OutputFailure>(
    _ custom: StreamOperator<Value, Failure, Output, OutputFailure>
  ) -> Signal<Output, OutputFailure> {
    Signal<Output, OutputFailure>(.custom(custom, of: feed))
  }
}

extension SignalProducer {
  /// The producer that an operator of your own makes of this one, with a state of its own for each
  /// start. See `Signal.applying(_:)`.
  public func applying<Output, OutputFailure>(
    _ custom: StreamOperator<Value, Failure, Output, OutputFailure>
  ) -> SignalProducer<Output, OutputFailure> {
    SignalProducer<Output, OutputFailure>(.custom(custom, of: feed))
  }
}

extension Junction {
  /// It owns a root, though it has one input: the user may send from wherever he likes.
  fileprivate static func custom<Input, InputFailure>(
    _ custom: StreamOperator<Input, InputFailure, Output, OutputFailure>,
    of feed: Feed<Input, InputFailure>
  ) -> Junction {
    Junction(custom.operation, of: feed) { outlet in
      let output = Signal<Output, OutputFailure>.Input.make(outlet.root)
      let body = custom.makeBody(output, Lifetime(outlet.disposables))
      return BodyInlet(outlet, absorbing: custom.operation.absorbs, body)
    }
  }
}

/// Hands the events of the input to the user's closure.
private final class BodyInlet<Input, InputFailure: Error, Output, OutputFailure: Error>:
  Inlet<Input, InputFailure, Output, OutputFailure>
{
  private let body: (Event<Input, InputFailure>) -> Void
  private let origin: Origin
  private let reason: Absorption?

  init(
    _ outlet: Outlet<Output, OutputFailure>, absorbing reason: Absorption?,
    _ body: @escaping (Event<Input, InputFailure>) -> Void
  ) {
    self.body = body
    self.reason = reason
    origin = outlet.origin
    super.init(outlet.root)
    // Its only input: whatever is sent came through here.
    root.feed.store(feed, ordering: .relaxed)
  }

  override var absorption: (UInt32, AbsorptionReason)? {
    reason.map { (origin.identity.id, $0) }
  }

  override func receive(_ value: Input) { body(.value(value)) }

  override func terminate(_ termination: Termination<InputFailure>) { body(Event(termination)) }
}
