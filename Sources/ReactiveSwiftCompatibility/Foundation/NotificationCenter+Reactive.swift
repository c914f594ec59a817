public import Foundation

extension NotificationCenter: ReactiveExtensionsProvider {}

extension Reactive where Base: NotificationCenter {
  /// Returns a signal of the notifications with a name, posted by one object or by all objects.
  ///
  /// The object is not kept alive. The observer is removed from the center when the signal has
  /// neither observers nor owners.
  public func notifications(
    forName name: Notification.Name?, object: AnyObject? = nil
  ) -> Signal<Notification, Never> {
    Signal { observer, lifetime in
      let observation = Observation(feeding: observer, with: name, of: object, from: base)
      lifetime.observeEnded { observation.end() }
    }
  }
}

/// The registration of a signal with a notification center.
private final class Observation: @unchecked Sendable {
  // Safety: immutable; the center and the input of a signal are thread-safe.
  private let center: NotificationCenter
  private let token: any NSObjectProtocol

  init(
    feeding observer: Signal<Notification, Never>.Observer, with name: Notification.Name?,
    of object: AnyObject?, from center: NotificationCenter
  ) {
    let input = Input(observer)
    self.center = center
    token = center.addObserver(forName: name, object: object, queue: nil) { input.send($0) }
  }

  func end() { center.removeObserver(token) }
}

/// The input of a signal, for sending from any thread.
private final class Input: @unchecked Sendable {
  // Safety: the input of a signal is thread-safe; the contents of a notification are passed to
  // observers on the posting thread, as the center itself does.
  private let observer: Signal<Notification, Never>.Observer

  init(_ observer: Signal<Notification, Never>.Observer) { self.observer = observer }

  func send(_ notification: Notification) { observer.send(value: notification) }
}
