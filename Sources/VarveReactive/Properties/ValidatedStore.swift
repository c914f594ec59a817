/// The property behind a validating property, reduced to the operations that the latter needs.
struct ValidatedStore<Value> {
  let lifetime: Lifetime
  let producer: SignalProducer<Value, Never>
  let signal: Signal<Value, Never>
  /// The value.
  let read: () -> Value
  /// Changes the value to the result of the closure, unless that is nil. No other thread changes it
  /// in the meantime.
  private let settle: (@escaping () -> Value?) -> Void
  /// The number of accepted proposals, some of which may be nested.
  private let turns = Lock<UInt64>(0)
  /// Whether the change that is being delivered was made by `settle`. The closure keeps no property
  /// alive.
  let isOwnChange: () -> Bool
  private let hold: (_ body: (Value) -> Void) -> Void

  /// Calls `body` with the value, which no other thread changes in the meantime.
  func whileUnchanged<Result>(_ body: (Value) -> Result) -> Result {
    var result: Result?
    hold { result = body($0) }
    guard let result else { fatalError("Varve: `withValue` has to run its closure") }
    return result
  }

  /// Decides on a proposal, notifies observers, and changes the value to the accepted one, if any.
  /// Observers may propose in turn: the later proposal stands.
  func settle(_ decide: @escaping () -> Value?, telling tell: @escaping () -> Void) {
    settle { [turns] in
      let accepted = decide()
      let turn = turns.withLock { turn in
        if accepted != nil { turn += 1 }
        return turn
      }
      tell()
      return turns.withLock { $0 } == turn ? accepted : nil
    }
  }
}

extension ValidatedStore {
  /// Creates a store for a property of this library, which recognizes its own changes by their
  /// versions.
  init(_ property: MutableProperty<Value>) {
    let cell = property.cell
    let versions = OwnVersions()
    self.init(
      lifetime: property.lifetime, producer: property.producer, signal: property.changes,
      read: { property.value },
      settle: { decide in property.cell.settle(decide, noting: versions.note) },
      isOwnChange: { [weak cell] in cell.map { versions.contains($0.versionInDelivery) } ?? false },
      hold: { property.cell.read($0) })
  }

  /// Creates a store for a property of a client's type, which delivers a change inside its setter.
  init<Property: ComposableMutablePropertyProtocol<Value>>(_ property: Property) {
    // Setters are nested when observers propose.
    let setters = Lock(0)
    self.init(
      lifetime: property.lifetime, producer: property.producer,
      signal: ReadCell.reading { property.signal },
      read: { property.value },
      settle: { decide in
        property.withValue { _ in
          guard let value = decide() else { return }
          setters.withLock { $0 += 1 }
          property.value = value
          setters.withLock { $0 -= 1 }
        }
      },
      isOwnChange: { setters.withLock { $0 > 0 } },
      hold: { property.withValue($0) })
  }
}

/// The undelivered versions of the inner value that a validating property has made. Versions only
/// grow.
private final class OwnVersions: Sendable {
  private let pending = Lock<[UInt64]>([])

  func note(_ version: UInt64) { pending.withLock { $0.append(version) } }

  /// Returns whether `version` is one of them, and forgets all versions up to it.
  func contains(_ version: UInt64) -> Bool {
    pending.withLock { pending in
      let isOwn = pending.contains(version)
      pending.removeAll { $0 <= version }
      return isOwn
    }
  }
}
