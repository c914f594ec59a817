internal import Synchronization
public import VarveReactive

/// Binds two properties to each other, so that each takes the other's changes.
infix operator <~> : BindingPrecedence

extension MutableProperty {
  /// Binds two properties to each other: the left one takes the value of the right one now, and from
  /// then on each takes what the other is changed to.
  ///
  ///     field.text <~> model.title
  ///
  /// A change comes to the other property once, and does not come back. Two changes at once, one on
  /// each side, do not make the properties wait for each other; afterwards both have the same value,
  /// that of one of the two changes.
  ///
  /// The binding keeps neither property alive and ends with the first that goes away.
  ///
  /// - Returns: what ends the binding.
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
    binding += right.signal.observeValues { _ in leader.propertyDelivers() }
    binding += left.signal.observeValues { _ in follower.propertyDelivers() }
    leader.sendCurrent()
    binding += channel.leading.producer.startWithValues { leader.take($0) }
    binding += channel.following.producer.startWithValues { follower.take($0) }
    return binding
  }
}

/// A value, and its place in the order of the changes of two properties that are bound to each other.
private struct Stamped<Value> {
  let value: Value
  let stamp: UInt64
}

/// Gives the changes of both properties their order.
private final class BindingClock: Sendable {
  private let last = Atomic<UInt64>(0)

  func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// One of two properties that are bound to each other.
///
/// Each change bears a stamp that is given inside the property's own serializer. A change from the
/// other side is done only when it is later than the latest that this side knows, so that both
/// sides come to the same value whatever the order in which changes meet. Nobody waits: a change
/// that finds the property busy is left for whoever is inside.
private final class BoundProperty<Value>: @unchecked Sendable {
  // Safety: `latest` and `written` are touched only inside the property's serializer.
  private let cell: PropertyCell<Value>
  private let input: Signal<Stamped<Value>, Never>.Observer
  private let clock: BindingClock
  /// The stamp of the value that the property has.
  private var latest: UInt64 = 0
  /// The version that the binding itself made last.
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

  /// The property delivers a change: of its own, which the other side has to hear of; or one that
  /// came from there; or one that is no longer its latest, which will be followed by that.
  func propertyDelivers() {
    let delivered = cell.versionInDelivery
    let (value, version) = cell.latestVersion
    if delivered != written, delivered == version { send(value) }
  }

  private func send(_ value: Value) {
    latest = clock.next()
    input.send(value: Stamped(value: value, stamp: latest))
  }

  /// A change of the other side.
  func take(_ change: Stamped<Value>) {
    var old: Value?
    cell.inTurn {
      [self] in
      guard change.stamp > latest else { return }
      latest = change.stamp
      old = cell.replace(by: change.value) { written = $0 }
    } afterwards: {
      // Its deinitialiser may be a stranger's.
      old = nil
    }
    _ = old
  }
}
