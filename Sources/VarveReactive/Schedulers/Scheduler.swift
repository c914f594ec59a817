/// A type that runs actions, one at a time.
///
/// Conform to this protocol to let streams run their work in a context of your own: an event loop,
/// a thread, or a queue of another library.
@preconcurrency
public protocol Scheduler: AnyObject, Sendable {
  /// Runs `action` as soon as possible.
  ///
  /// - Returns: a disposable that prevents the action from beginning, or nil if it has already run.
  @preconcurrency
  @discardableResult
  func schedule(_ action: @escaping @Sendable () -> Void) -> (any Disposable)?
}
