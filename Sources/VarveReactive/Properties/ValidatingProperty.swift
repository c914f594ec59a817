internal import VarveProbe

/// A mutable property that decides about each value that is proposed to it, and tells how.
///
///     let age = ValidatingProperty<Int, AgeError>(18) { $0 < 0 ? .invalid(.negative) : .valid }
///     age.value = -1
///     age.value   // still 18
///     age.result  // now .invalid(-1, .negative)
///
/// It stands in front of another mutable property. Setting `value` is a proposal: the outcome is
/// published by `result`, and then, unless it was rejected, the value goes to the property inside.
/// An observer of the outcome may propose in turn: then that proposal stands, and the value before
/// it goes nowhere.
/// When that is changed by others, the change stands, and its validity is published.
///
/// Proposals are decided one after the other, and nobody changes the property inside meanwhile. The
/// validator must not wait for another thread that proposes.
public final class ValidatingProperty<Value, ValidationError: Error>: MutablePropertyProtocol {
  /// What a validator says about a proposed value.
  public enum Decision {
    /// It is accepted.
    case valid
    /// Another value is accepted instead, perhaps for a reason.
    case coerced(Value, ValidationError?)
    /// It is rejected.
    case invalid(ValidationError)
  }

  /// What became of the latest proposal.
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

    /// The value that was accepted, if one was.
    public var value: Value? {
      switch self {
      case .valid(let value): value
      case .coerced(let replacement, _, _): replacement
      case .invalid: nil
      }
    }

    /// Why the proposal was not accepted as it was.
    public var error: ValidationError? {
      switch self {
      case .valid: nil
      case .coerced(_, _, let error): error
      case .invalid(_, let error): error
      }
    }

    /// What was proposed.
    var proposed: Value {
      switch self {
      case .valid(let value): value
      case .coerced(_, let proposed, _): proposed
      case .invalid(let value, _): value
      }
    }
  }

  /// What became of the latest proposal; starts with the validity of the initial value.
  public let result: Property<Result>
  /// Ends with the property inside.
  public let lifetime: Lifetime
  /// Sends the accepted values, from the latest on.
  public let producer: SignalProducer<Value, Never>
  /// Sends the accepted values.
  public let signal: Signal<Value, Never>

  private let inner: ValidatedStore<Value>
  private let outcomes: PropertyCell<Result>
  private let validator: (Value) -> Decision
  /// What makes the property reconsider.
  let dependencies = ScopedDisposable(CompositeDisposable())

  /// Creates a property in front of `inner`, with a closure that keeps its own safety.
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
        Operation("result", traits: .replays), parents: [inside.identity],
        valueType: Result.self)
      let outcomes = PropertyCell(identity, Result(initial, validator(initial)))
      let subscription = inside.attach(Revalidation(isOwnChange, validator, outcomes))
      outcomes.fanOut.observers.prepare { subscription?.dispose() }
      return outcomes
    }
    result = Property(of: outcomes)
  }

  /// The accepted value. Setting it proposes one.
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

  /// Decides about the latest proposal again.
  func reconsider() { propose(result.value.proposed) }
}

// Safety: cells are made for many threads; the validators that users give are Sendable.
extension ValidatingProperty: @unchecked Sendable where Value: Sendable {}
extension ValidatingProperty.Decision: Sendable where Value: Sendable {}
extension ValidatingProperty.Result: Sendable where Value: Sendable {}

/// Publishes the validity of what others make of the property inside.
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
