/// Something that can be given up: an observation, running work, a resource.
///
/// Disposal happens once, whoever asks for it, from whatever thread, and however often.
@preconcurrency
public protocol Disposable: AnyObject, Sendable {
  /// Whether disposal has begun.
  var isDisposed: Bool { get }

  /// Gives up what this stands for; the second call and later ones do nothing.
  func dispose()
}

/// What is to be done when something is disposed of.
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
