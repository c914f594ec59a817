internal import Synchronization
public import VarveReactive

/// Binds two properties to each other, so that each follows the changes of the other.
infix operator <~> : BindingPrecedence

extension MutableProperty {
  /// Binds two properties to each other: the left one takes the current value of the right one, and
  /// from then on, each follows the changes of the other.
  ///
  ///     field.text <~> model.title
  ///
  /// A change is applied to the other property once and is not sent back. With concurrent changes
  /// on both sides, the properties do not wait for each other; afterwards, both have the same
  /// value, that of one of the changes.
  ///
  /// The binding keeps neither property alive. It ends when one of them is deallocated.
  ///
  /// - Returns: a disposable that ends the binding.
  @discardableResult
  public static func <~> (left: MutableProperty, right: MutableProperty) -> any Disposable {
    precondition(left !== right, "a property cannot be bound to itself")
    let binding = CompositeDisposable()
    for property in [left, right] {
      if let handle = property.lifetime += binding { binding += handle.dispose }
    }
    let channel = Channel<Stamped<Value>, Never>()
    let clock = BindingClock()
    let leader = BoundProperty(right.cell, channel.leading.input, clock)
    let follower = BoundProperty(left.cell, channel.following.input, clock)
    binding += right.changes.observeValues { _ in leader.propertyDelivers() }
    binding += left.changes.observeValues { _ in follower.propertyDelivers() }
    leader.sendCurrent()
    binding += channel.leading.producer.startWithValues { leader.take($0) }
    binding += channel.following.producer.startWithValues { follower.take($0) }
    return binding
  }
}

/// A value with its position in the order of changes of two bound properties.
private struct Stamped<Value> {
  let value: Value
  let stamp: UInt64
}

/// A counter that orders the changes of two bound properties.
private final class BindingClock: Sendable {
  private let last = Atomic<UInt64>(0)

  func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// One of two bound properties.
///
/// Each change has a stamp, assigned inside the property's own serializer. A change from the other
/// side is applied only if it is later than the latest one on this side, so that both sides reach
/// the same value in whatever order changes arrive. No thread waits: if the property is busy, the
/// change is left to the thread inside its serializer.
private final class BoundProperty<Value>: @unchecked Sendable {
  // Safety: `latest` and `written` are accessed only inside the property's serializer.
  private let cell: PropertyCell<Value>
  private let input: Signal<Stamped<Value>, Never>.Observer
  private let clock: BindingClock
  /// The stamp of the property's value.
  private var latest: UInt64 = 0
  /// The version of the binding's own latest change.
  private var written: UInt64?

  init(
    _ cell: PropertyCell<Value>, _ input: Signal<Stamped<Value>, Never>.Observer,
    _ clock: BindingClock
  ) {
    self.cell = cell
    self.input = input
    self.clock = clock
  }

  /// Sends the property's value to the other side.
  func sendCurrent() {
    cell.inTurn { self.send(self.cell.latestVersion.value) }
  }

  /// Handles a delivery of the property. Its own change is sent to the other side; changes from
  /// there, and outdated ones that will be followed by the latest, are not.
  func propertyDelivers() {
    let delivered = cell.versionInDelivery
    let (value, version) = cell.latestVersion
    if delivered != written, delivered == version { send(value) }
  }

  private func send(_ value: Value) {
    latest = clock.next()
    input.send(value: Stamped(value: value, stamp: latest))
  }

  /// Applies a change of the other side.
  func take(_ change: Stamped<Value>) {
    var old: Value?
    cell.inTurn {
      [self] in
      guard change.stamp > latest else { return }
      latest = change.stamp
      old = cell.replace(by: change.value) { written = $0 }
    } afterwards: {
      // Its deinitializer may run client code.
      old = nil
    }
    _ = old
  }
}
