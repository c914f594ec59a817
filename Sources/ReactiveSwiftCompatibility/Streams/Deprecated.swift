public import Dispatch

extension Signal {
  /// The older name of `compactMap`.
  @available(*, deprecated, renamed: "compactMap")
  @preconcurrency
  public func filterMap<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue?
  ) -> Signal<NewValue, Failure> { compactMap(transform) }
}

extension SignalProducer {
  /// The older name of `compactMap`.
  @available(*, deprecated, renamed: "compactMap")
  @preconcurrency
  public func filterMap<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue?
  ) -> SignalProducer<NewValue, Failure> { compactMap(transform) }
}

extension LoggingEvent.Signal {
  /// All kinds.
  @available(*, deprecated, message: "Use `allCases`.")
  public static var allEvents: Set<Self> { Set(allCases) }
}

extension LoggingEvent.SignalProducer {
  /// All kinds.
  @available(*, deprecated, message: "Use `allCases`.")
  public static var allEvents: Set<Self> { Set(allCases) }
}

extension QueueScheduler {
  /// Creates a scheduler whose queue is serial and targets `queue`.
  @available(*, deprecated, message: "Use `init(qos:name:targeting:)`.")
  public convenience init(queue: DispatchQueue, name: String = "QueueScheduler") {
    self.init(name: name, targeting: queue)
  }
}
