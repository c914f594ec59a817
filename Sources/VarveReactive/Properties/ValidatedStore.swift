/// The property behind a validating one, as that needs it.
struct ValidatedStore<Value> {
  let lifetime: Lifetime
  let producer: SignalProducer<Value, Never>
  let signal: Signal<Value, Never>
  /// The value.
  let read: () -> Value
  /// Changes the value to what the closure returns, unless that is nil; nobody else changes it
  /// meanwhile.
  let settle: (@escaping () -> Value?) -> Void
  /// Whether the change that is being delivered was made by `settle`. It keeps no property alive.
  let isOwnChange: () -> Bool
  private let hold: (_ body: (Value) -> Void) -> Void

  /// Runs `body` with the value; nobody changes it meanwhile.
  func whileUnchanged<Result>(_ body: (Value) -> Result) -> Result {
    var result: Result?
    hold { result = body($0) }
    guard let result else { fatalError("Varve: `withValue` has to run its closure") }
    return result
  }
}

extension ValidatedStore {
  /// A property of the library's: its own changes are known by their versions.
  init(_ property: MutableProperty<Value>) {
    let cell = property.cell
    let versions = OwnVersions()
    self.init(
      lifetime: property.lifetime, producer: property.producer, signal: property.signal,
      read: { property.value },
      settle: { decide in property.cell.settle(decide, noting: versions.note) },
      isOwnChange: { [weak cell] in cell.map { versions.contains($0.versionInDelivery) } ?? false },
      hold: { property.withValue($0) })
  }

  /// A property of the user's own type, which delivers a change inside its setter.
  init<Property: ComposableMutablePropertyProtocol<Value>>(_ property: Property) {
    let isSetting = Guarded(false)
    self.init(
      lifetime: property.lifetime, producer: property.producer, signal: property.signal,
      read: { property.value },
      settle: { decide in
        property.withValue { _ in
          guard let value = decide() else { return }
          isSetting.withLock { $0 = true }
          property.value = value
          isSetting.withLock { $0 = false }
        }
      },
      isOwnChange: { isSetting.withLock { $0 } },
      hold: { property.withValue($0) })
  }
}

/// The versions that a validating property has made of the value inside, and that are still to be
/// delivered. Versions only grow.
private final class OwnVersions: Sendable {
  private let pending = Guarded<[UInt64]>([])

  func note(_ version: UInt64) { pending.withLock { $0.append(version) } }

  /// Whether it is one of them; those up to it are forgotten.
  func contains(_ version: UInt64) -> Bool {
    pending.withLock { pending in
      let isOwn = pending.contains(version)
      pending.removeAll { $0 <= version }
      return isOwn
    }
  }
}
