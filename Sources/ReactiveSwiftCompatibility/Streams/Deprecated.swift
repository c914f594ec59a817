public import Dispatch

extension Signal {
  /// The former name of `compactMap`.
  @available(*, deprecated, renamed: "compactMap")
  @preconcurrency
  public func filterMap<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue?
  ) -> Signal<NewValue, Failure> { compactMap(transform) }
}

extension SignalProducer {
  /// The former name of `compactMap`.
  @available(*, deprecated, renamed: "compactMap")
  @preconcurrency
  public func filterMap<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue?
  ) -> SignalProducer<NewValue, Failure> { compactMap(transform) }
}

extension LoggingEvent.Signal {
  /// All kinds of events.
  @available(*, deprecated, message: "Use `allCases`.")
  public static var allEvents: Set<Self> { Set(allCases) }
}

extension LoggingEvent.SignalProducer {
  /// All kinds of events.
  @available(*, deprecated, message: "Use `allCases`.")
  public static var allEvents: Set<Self> { Set(allCases) }
}

extension QueueScheduler {
  /// Creates a scheduler with a serial queue that targets `queue`.
  @available(*, deprecated, message: "Use `init(qos:name:targeting:)`.")
  public convenience init(queue: DispatchQueue, name: String = "QueueScheduler") {
    self.init(name: name, targeting: queue)
  }
}
