/// An emitter that leaves values out and records their number from time to time.
package protocol Withholder: AnyObject {
  /// Records the number left out since the last report. May be used from any thread.
  func tellRest()
}

extension Probe {
  private static let withholders = Lock<[ObjectIdentifier: LivingWithholder]>([:])

  private struct LivingWithholder {
    weak let withholder: (any Withholder)?
  }

  /// Registers an emitter for a last report when a recording ends.
  package static func add(_ withholder: some Withholder) {
    let entry = LivingWithholder(withholder: withholder)
    withholders.withLock { $0[ObjectIdentifier(withholder)] = entry }
  }

  /// Removes an emitter.
  package static func removeWithholder(_ id: ObjectIdentifier) {
    withholders.withLock { _ = $0.removeValue(forKey: id) }
  }

  /// Has all emitters report what they left out. Called after the gate has closed, so that nothing
  /// new is counted, and while records still reach the trace.
  package static func tellRest() {
    let living = withholders.withLock { $0.values.compactMap(\.withholder) }
    for withholder in living { withholder.tellRest() }
  }

  static func holdWithholders() { withholders.hold() }

  static func letGoOfWithholders() { withholders.letGo() }
}
