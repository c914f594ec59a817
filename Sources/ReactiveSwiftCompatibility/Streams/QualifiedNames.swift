/// The former name of the module, for code with qualified names: `ReactiveSwift.Signal<Int,
/// Never>`.
///
/// Such code has its own types with names such as `Action` or `Property`. Everything that can be
/// qualified with the module can be qualified with this type.
public enum ReactiveSwift {
  // MARK: Streams
  /// See `Signal`.
  public typealias Signal = VarveReactive.Signal
  /// See `SignalProducer`.
  public typealias SignalProducer = VarveReactive.SignalProducer
  /// See `Observer`.
  public typealias Observer = VarveReactive.Observer
  /// See `Termination`.
  public typealias Termination = VarveReactive.Termination
  /// See `FlattenStrategy`.
  public typealias FlattenStrategy = VarveReactive.FlattenStrategy
  /// See `SignalProtocol`.
  public typealias SignalProtocol = ReactiveSwiftCompatibility.SignalProtocol
  /// See `SignalProducerProtocol`.
  public typealias SignalProducerProtocol = ReactiveSwiftCompatibility.SignalProducerProtocol
  /// See `SignalProducerConvertible`.
  public typealias SignalProducerConvertible = VarveReactive.SignalProducerConvertible
  /// See `EventProtocol`.
  public typealias EventProtocol = VarveReactive.EventProtocol
  /// See `OptionalProtocol`.
  public typealias OptionalProtocol = VarveReactive.OptionalProtocol

  // MARK: Properties and bindings
  /// See `Property`.
  public typealias Property = VarveReactive.Property
  /// See `MutableProperty`.
  public typealias MutableProperty = VarveReactive.MutableProperty
  /// See `ValidatingProperty`.
  public typealias ValidatingProperty = VarveReactive.ValidatingProperty
  /// See `PropertyProtocol`.
  public typealias PropertyProtocol = VarveReactive.PropertyProtocol
  /// See `MutablePropertyProtocol`.
  public typealias MutablePropertyProtocol = VarveReactive.MutablePropertyProtocol
  /// See `ComposableMutablePropertyProtocol`.
  public typealias ComposableMutablePropertyProtocol =
    VarveReactive.ComposableMutablePropertyProtocol
  /// See `BindingSource`.
  public typealias BindingSource = VarveReactive.BindingSource
  /// See `BindingTarget`.
  public typealias BindingTarget = VarveReactive.BindingTarget
  /// See `BindingTargetProvider`.
  public typealias BindingTargetProvider = VarveReactive.BindingTargetProvider

  // MARK: Actions
  /// See `Action`.
  public typealias Action = VarveReactive.Action
  /// See `ActionError`.
  public typealias ActionError = VarveReactive.ActionError

  // MARK: Disposal
  /// See `Disposable`.
  public typealias Disposable = VarveReactive.Disposable
  /// See `AnyDisposable`.
  public typealias AnyDisposable = VarveReactive.AnyDisposable
  /// See `CompositeDisposable`.
  public typealias CompositeDisposable = VarveReactive.CompositeDisposable
  /// See `SerialDisposable`.
  public typealias SerialDisposable = VarveReactive.SerialDisposable
  /// See `ScopedDisposable`.
  public typealias ScopedDisposable = VarveReactive.ScopedDisposable
  /// See `Lifetime`.
  public typealias Lifetime = VarveReactive.Lifetime

  // MARK: Schedulers
  /// See `Scheduler`.
  public typealias Scheduler = VarveReactive.Scheduler
  /// See `DateScheduler`.
  public typealias DateScheduler = ReactiveSwiftCompatibility.DateScheduler
  /// See `ImmediateScheduler`.
  public typealias ImmediateScheduler = VarveReactive.ImmediateScheduler
  /// See `UIScheduler`.
  public typealias UIScheduler = VarveReactive.UIScheduler
  /// See `QueueScheduler`.
  public typealias QueueScheduler = VarveReactive.QueueScheduler
  /// See `TestScheduler`.
  public typealias TestScheduler = VarveReactive.TestScheduler

  // MARK: Logging
  /// See `LoggingEvent`.
  public typealias LoggingEvent = VarveReactive.LoggingEvent
  /// See `EventLogger`.
  public typealias EventLogger = ReactiveSwiftCompatibility.EventLogger
  /// See `defaultEventLog(identifier:event:fileName:functionName:lineNumber:)` outside.
  @Sendable
  public static func defaultEventLog(
    identifier: String, event: String, fileName: String, functionName: String, lineNumber: Int
  ) {
    ReactiveSwiftCompatibility.defaultEventLog(
      identifier: identifier, event: event, fileName: fileName, functionName: functionName,
      lineNumber: lineNumber)
  }

  // MARK: Extensions and containers
  /// See `Reactive`.
  public typealias Reactive = ReactiveSwiftCompatibility.Reactive
  /// See `ReactiveExtensionsProvider`.
  public typealias ReactiveExtensionsProvider =
    ReactiveSwiftCompatibility.ReactiveExtensionsProvider
  /// See `Atomic`.
  public typealias Atomic = ReactiveSwiftCompatibility.Atomic
  /// See `Bag`.
  public typealias Bag = ReactiveSwiftCompatibility.Bag
}
