public import Foundation

extension NotificationCenter: ReactiveExtensionsProvider {}

extension Reactive where Base: NotificationCenter {
  /// The notifications of a name, of one object or of all, for as long as the signal is alive.
  ///
  /// The object is not kept alive. What is observed is taken out of the center when nobody observes
  /// or keeps the signal any more.
  public func notifications(
    forName name: Notification.Name?, object: AnyObject? = nil
  ) -> Signal<Notification, Never> {
    Signal { observer, lifetime in
      let observation = Observation(feeding: observer, with: name, of: object, from: base)
      lifetime.observeEnded { observation.end() }
    }
  }
}

/// What a notification center knows a signal by.
private final class Observation: @unchecked Sendable {
  // Safety: all is immutable; the center is made for many threads, and so is a signal's input.
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

/// A signal's input, which any thread may send on.
private final class Input: @unchecked Sendable {
  // Safety: a signal's input is made for many threads; what a notification carries is given to
  // observers on the thread that posts it, as the center itself does.
  private let observer: Signal<Notification, Never>.Observer

  init(_ observer: Signal<Notification, Never>.Observer) { self.observer = observer }

  func send(_ notification: Notification) { observer.send(value: notification) }
}
