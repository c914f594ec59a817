internal import VarveProbe

/// A mutable property that validates each proposed value and publishes the outcome.
///
///     let age = ValidatingProperty<Int, AgeError>(18) { $0 < 0 ? .invalid(.negative) : .valid }
///     age.value = -1
///     age.value   // still 18
///     age.result  // now .invalid(-1, .negative)
///
/// It wraps another mutable property. Setting `value` proposes a value: the outcome is published by
/// `result`, and then, unless it was rejected, the value is written to the inner property. An
/// observer of the outcome may propose another value: then that proposal stands, and the earlier
/// value is not written. If other code changes the inner property, the change stands, and its
/// validity is published.
///
/// Proposals are validated one after the other, and the inner property is not changed in the
/// meantime. The validator must not wait for another thread that proposes a value.
public final class ValidatingProperty<Value, ValidationError: Error>: MutablePropertyProtocol {
  /// The decision of a validator on a proposed value.
  public enum Decision {
    /// It is accepted.
    case valid
    /// Another value is accepted instead, perhaps for a reason.
    case coerced(Value, ValidationError?)
    /// It is rejected, as `invalid(_:)` says.
    case rejected(ValidationError, by: RejectingCode)

    /// It is rejected. A trace shows the line on which this was called.
    public static func invalid(_ error: ValidationError) -> Decision {
      .rejected(error, by: RejectingCode())
    }

    /// The stack of the code that rejected the value; 0 if there is none.
    var stack: UInt32 {
      if case .rejected(_, let code) = self { code.stack } else { 0 }
    }
  }

  /// The outcome of a proposal.
  public enum Result {
    /// It was accepted.
    case valid(Value)
    /// Another value was accepted instead.
    case coerced(replacement: Value, proposed: Value, error: ValidationError?)
    /// It was rejected.
    case invalid(Value, ValidationError)

    init(_ proposed: Value, _ decision: Decision) {
      switch decision {
      case .valid: self = .valid(proposed)
      case .coerced(let replacement, let error):
        self = .coerced(replacement: replacement, proposed: proposed, error: error)
      case .rejected(let error, _): self = .invalid(proposed, error)
      }
    }

    /// Whether the proposal was rejected.
    public var isInvalid: Bool {
      switch self {
      case .valid, .coerced: false
      case .invalid: true
      }
    }

    /// The accepted value, if there is one.
    public var value: Value? {
      switch self {
      case .valid(let value): value
      case .coerced(let replacement, _, _): replacement
      case .invalid: nil
      }
    }

    /// The error, if the proposal was not accepted unchanged.
    public var error: ValidationError? {
      switch self {
      case .valid: nil
      case .coerced(_, _, let error): error
      case .invalid(_, let error): error
      }
    }

    /// The proposed value.
    var proposed: Value {
      switch self {
      case .valid(let value): value
      case .coerced(_, let proposed, _): proposed
      case .invalid(let value, _): value
      }
    }
  }

  /// The outcome of the latest proposal; at first, the validity of the initial value.
  public let result: Property<Result>
  /// A lifetime that ends with the inner property.
  public let lifetime: Lifetime
  /// A producer of the accepted values, starting with the latest.
  public let producer: SignalProducer<Value, Never>
  /// A signal of the accepted values.
  public let signal: Signal<Value, Never>

  private let inner: ValidatedStore<Value>
  private let outcomes: PropertyCell<Result>
  private let validator: (Value) -> Decision
  /// The subscriptions that make the property reconsider.
  let dependencies = ScopedDisposable(CompositeDisposable())

  /// Creates a property that wraps `inner`, with a closure that ensures its own thread safety.
  init(
    inFrontOf inner: ValidatedStore<Value>, unchecked validator: @escaping (Value) -> Decision
  ) {
    self.inner = inner
    self.validator = validator
    lifetime = inner.lifetime
    producer = inner.producer
    signal = inner.signal
    let inside = inner.signal
    let isOwnChange = inner.isOwnChange
    outcomes = inner.whileUnchanged { initial in
      let identity = StreamIdentity(
        Operation("result", traits: [.replays, .validates]), parents: [inside.identity],
        valueType: Result.self)
      let outcomes = PropertyCell(identity, Result(initial, validator(initial)))
      outcomes.root.decider = 0
      let subscription = inside.attach(Revalidation(isOwnChange, validator, outcomes))
      outcomes.fanOut.observers.prepare { subscription?.dispose() }
      return outcomes
    }
    result = Property(of: outcomes)
  }

  /// The accepted value. The setter proposes a value.
  public var value: Value {
    get { inner.read() }
    set { propose(newValue) }
  }

  private func propose(_ value: Value) {
    var decider: UInt32 = 0
    inner.settle(
      { [outcomes, validator] in
        let decision = validator(value)
        decider = decision.stack
        let outcome = Result(value, decision)
        outcomes.post(outcome)
        return outcome.value
      }, telling: { [outcomes] in outcomes.deliverPosted(decidedBy: decider) })
  }

  /// Validates the latest proposal again.
  func reconsider() { propose(outcomes.value.proposed) }
}

// Safety: cells are thread-safe; the validators of clients are Sendable.
extension ValidatingProperty: @unchecked Sendable where Value: Sendable {}
extension ValidatingProperty.Decision: Sendable where Value: Sendable {}
extension ValidatingProperty.Result: Sendable where Value: Sendable {}

/// Publishes the validity of changes that other code makes to the inner property.
private final class Revalidation<Value, ValidationError: Error>: Observer<Value, Never> {
  typealias Validating = ValidatingProperty<Value, ValidationError>
  private let isOwnChange: () -> Bool
  private let validator: (Value) -> Validating.Decision
  private let outcomes: PropertyCell<Validating.Result>

  init(
    _ isOwnChange: @escaping () -> Bool, _ validator: @escaping (Value) -> Validating.Decision,
    _ outcomes: PropertyCell<Validating.Result>
  ) {
    self.isOwnChange = isOwnChange
    self.validator = validator
    self.outcomes = outcomes
  }

  override func receive(_ value: Value) {
    guard !isOwnChange() else { return }
    let decision = validator(value)
    outcomes.post(Validating.Result(value, decision))
    outcomes.deliverPosted(decidedBy: decision.stack)
  }

  override func terminate(_ termination: Termination<Never>) { outcomes.root.send(.completed) }
}
