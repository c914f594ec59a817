/// The reason why a run of an action failed.
public enum ActionError<Failure: Error>: Error {
  /// The action was disabled, or already running, when it was started; no work was done.
  case disabled
  /// The work failed.
  case producerFailed(Failure)
}

extension ActionError: Equatable where Failure: Equatable {}
extension ActionError: Hashable where Failure: Hashable {}
