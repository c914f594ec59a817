/// The property behind a validating one, as that needs it.
struct ValidatedStore<Value> {
  let lifetime: Lifetime
  let producer: SignalProducer<Value, Never>
  let signal: Signal<Value, Never>
  /// The value.
  let read: () -> Value
  /// Changes the value to what the closure returns, unless that is nil; nobody else changes it
  /// meanwhile.
  private let settle: (@escaping () -> Value?) -> Void
  /// The proposals that were accepted, of which some may nest.
  private let turns = Lock<UInt64>(0)
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

  /// Decides about a proposal, tells of it, and changes the value to what was accepted, if anything
  /// was. Observers who are told may propose in turn: the later proposal stands.
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
    // Setters nest when observers propose.
    let setters = Lock(0)
    self.init(
      lifetime: property.lifetime, producer: property.producer, signal: property.signal,
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

/// The versions that a validating property has made of the value inside, and that are still to be
/// delivered. Versions only grow.
private final class OwnVersions: Sendable {
  private let pending = Lock<[UInt64]>([])

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
