/// Something that can be given up: an observation, running work, a resource.
///
/// Disposal happens once, whatever the caller, the thread and the number of calls.
@preconcurrency
public protocol Disposable: AnyObject, Sendable {
  /// Whether disposal has begun.
  var isDisposed: Bool { get }

  /// Gives up what this stands for. Later calls have no effect.
  func dispose()
}

/// The action to take on disposal.
enum Disposal: Sendable {
  case action(@Sendable () -> Void)
  case disposable(any Disposable)

  func perform() {
    switch self {
    case .action(let action): action()
    case .disposable(let disposable): disposable.dispose()
    }
  }
}
