internal import VarveProbe

/// Identities for what is no scheduler of the library's and runs work all the same: queues of the
/// program, tasks, event loops. Those of one name share one.
enum ForeignSchedulers {
  /// A program that makes names without end must not fill the memory with identities.
  private static let most = 1024
  private static let identities =
    Probe.keptOverForks(Lock<[String: SchedulerIdentity]>([:]))
  private static let other = SchedulerIdentity(name: "other code", isForeign: true)

  /// What Swift's tasks are given to, as `hop.c` names it.
  static let concurrency = identity(named: "Swift concurrency")

  /// The identity with a name. It never goes.
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
