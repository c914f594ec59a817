/// Runs actions, one at a time.
///
/// Conform to it to let streams run their work in a place of your own: an event loop, a thread, a
/// queue of another library.
@preconcurrency
public protocol Scheduler: AnyObject, Sendable {
  /// Runs `action` as soon as possible.
  ///
  /// - Returns: what prevents the action from beginning, or nil when it has run already.
  @preconcurrency
  @discardableResult
  func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)?
}
