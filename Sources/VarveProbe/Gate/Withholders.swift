/// An emitter that counts what it does not tell, and has told only so many of them so far.
package protocol Withholder: AnyObject {
  /// Tells what it has counted since. Called from any thread.
  func tellRest()
}

extension Probe {
  private static let withholders = Lock<[ObjectIdentifier: LivingWithholder]>([:])

  private struct LivingWithholder {
    weak let withholder: (any Withholder)?
  }

  /// From now on, an emitter is asked for the rest when a recording ends.
  package static func add(_ withholder: some Withholder) {
    let entry = LivingWithholder(withholder: withholder)
    withholders.withLock { $0[ObjectIdentifier(withholder)] = entry }
  }

  /// The emitter goes.
  package static func removeWithholder(_ id: ObjectIdentifier) {
    withholders.withLock { _ = $0.removeValue(forKey: id) }
  }

  /// Has everybody tell what was counted and not told. Called when the gate has been closed, so that
  /// nobody begins to count, and while what they tell still finds its way into the trace.
  package static func tellRest() {
    let living = withholders.withLock { $0.values.compactMap(\.withholder) }
    for withholder in living { withholder.tellRest() }
  }

  static func holdWithholders() { withholders.hold() }

  static func letGoOfWithholders() { withholders.letGo() }
}
