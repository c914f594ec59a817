internal import VarveProbe

/// Identities for what runs work without being one of the library's schedulers: queues of the
/// program, tasks, event loops. Those with the same name share an identity.
enum ForeignSchedulers {
  /// The maximum number of identities, so that a program that keeps making names does not fill the
  /// memory.
  private static let most = 1024
  private static let identities =
    Probe.keptOverForks(Lock<[String: SchedulerIdentity]>([:]))
  private static let other = SchedulerIdentity(name: "other code", isForeign: true)

  /// The identity that Swift's tasks are handed to, as `hops.c` names it.
  static let concurrency = identity(named: "Swift concurrency")

  /// Returns the identity with a name. It is never released.
  static func identity(named name: String) -> SchedulerIdentity {
    identities.withLock { identities in
      if let known = identities[name] { return known }
      guard identities.count < most else { return other }
      let made = SchedulerIdentity(name: name, isForeign: true)
      identities[name] = made
      return made
    }
  }
}
