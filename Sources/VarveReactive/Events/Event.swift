/// An event that a stream of either kind can send. See `Signal.Event`.
public typealias Event<Value, Failure: Error> = Signal<Value, Failure>.Event

extension Signal {
  /// An event that a stream can send.
  ///
  /// A stream obeys the grammar `value* (failed | completed | interrupted)?`: any number of values
  /// and then at most one terminal event, after which it sends nothing.
  @frozen
  public enum Event {
    /// A value.
    case value(Value)
    /// The stream ended because of an error.
    case failed(Failure)
    /// The stream ended successfully.
    case completed
    /// The stream was cancelled.
    case interrupted

    /// Whether nothing can follow this event.
    public var isTerminating: Bool {
      switch self {
      case .value: false
      case .failed, .completed, .interrupted: true
      }
    }

    /// Whether this is `completed`.
    public var isCompleted: Bool {
      switch self {
      case .completed: true
      case .value, .failed, .interrupted: false
      }
    }

    /// The value, if this is one.
    public var value: Value? {
      switch self {
      case .value(let value): value
      case .failed, .completed, .interrupted: nil
      }
    }

    /// The failure, if this is one.
    public var error: Failure? {
      switch self {
      case .failed(let failure): failure
      case .value, .completed, .interrupted: nil
      }
    }

    /// Returns the same event with its value transformed.
    public func map<NewValue>(_ transform: (Value) -> NewValue) -> Signal<NewValue, Failure>.Event {
      switch self {
      case .value(let value): .value(transform(value))
      case .failed(let failure): .failed(failure)
      case .completed: .completed
      case .interrupted: .interrupted
      }
    }

    /// Returns the same event with its failure transformed.
    public func mapError<NewFailure>(
      _ transform: (Failure) -> NewFailure
    ) -> Signal<Value, NewFailure>.Event {
      switch self {
      case .value(let value): .value(value)
      case .failed(let failure): .failed(transform(failure))
      case .completed: .completed
      case .interrupted: .interrupted
      }
    }
  }
}

extension Signal.Event: Sendable where Value: Sendable {}
extension Signal.Event: Equatable where Value: Equatable, Failure: Equatable {}
extension Signal.Event: Hashable where Value: Hashable, Failure: Hashable {}

extension Signal.Event: CustomStringConvertible {
  /// `VALUE 1`, `FAILED reason`, `COMPLETED` or `INTERRUPTED`.
  public var description: String {
    switch self {
    case .value(let value): "VALUE \(value)"
    case .failed(let failure): "FAILED \(failure)"
    case .completed: "COMPLETED"
    case .interrupted: "INTERRUPTED"
    }
  }
}

/// A type whose values are events, as `dematerialize` requires.
public protocol EventProtocol<Value, Failure> {
  /// The type of the values.
  associatedtype Value
  /// The type of the failures.
  associatedtype Failure: Swift.Error

  /// The predecessor's name for `Failure`.
  typealias Error = Failure

  /// The event.
  var event: Event<Value, Failure> { get }
}

extension Signal.Event: EventProtocol {
  /// The event itself.
  public var event: Event<Value, Failure> { self }
}
