/// The way in which a stream ended: the terminal part of an event.
@frozen
public enum Termination<Failure: Error>: Sendable {
  /// The stream ended because of an error.
  case failed(Failure)
  /// The stream ended successfully.
  case completed
  /// The stream was cancelled.
  case interrupted

  /// Returns the same termination with its failure transformed.
  public func mapError<NewFailure>(
    _ transform: (Failure) -> NewFailure
  ) -> Termination<NewFailure> {
    switch self {
    case .failed(let failure): .failed(transform(failure))
    case .completed: .completed
    case .interrupted: .interrupted
    }
  }
}

extension Termination where Failure == Never {
  /// Returns the same termination, as that of a stream that could fail.
  func promoted<NewFailure>(to: NewFailure.Type = NewFailure.self) -> Termination<NewFailure> {
    switch self {
    case .completed: .completed
    case .interrupted: .interrupted
    }
  }
}

extension Signal.Event {
  /// Creates the terminal event of a termination.
  public init(_ termination: Termination<Failure>) {
    switch termination {
    case .failed(let failure): self = .failed(failure)
    case .completed: self = .completed
    case .interrupted: self = .interrupted
    }
  }
}
