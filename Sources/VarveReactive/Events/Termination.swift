/// How a stream ended: the terminal part of an event.
@frozen
public enum Termination<Failure: Error>: Sendable {
  /// Because of an error.
  case failed(Failure)
  /// Successfully.
  case completed
  /// It was cancelled.
  case interrupted

  /// The same termination with its failure transformed.
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
  /// The same termination of a stream that could fail.
  func promoted<NewFailure>(to: NewFailure.Type = NewFailure.self) -> Termination<NewFailure> {
    switch self {
    case .completed: .completed
    case .interrupted: .interrupted
    }
  }
}

extension Signal.Event {
  /// The terminal event of a termination.
  public init(_ termination: Termination<Failure>) {
    switch termination {
    case .failed(let failure): self = .failed(failure)
    case .completed: self = .completed
    case .interrupted: self = .interrupted
    }
  }
}
