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
    /// It is rejected.
    case invalid(ValidationError)
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
      case .invalid(let error): self = .invalid(proposed, error)
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
    inner.settle(
      { [outcomes, validator] in
        let outcome = Result(value, validator(value))
        outcomes.post(outcome)
        return outcome.value
      }, telling: outcomes.deliverPosted)
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
    outcomes.post(Validating.Result(value, validator(value)))
    outcomes.deliverPosted()
  }

  override func terminate(_ termination: Termination<Never>) { outcomes.root.send(.completed) }
}
