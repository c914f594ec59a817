internal import VarveProbe

/// The names of schedulers that scheduled work while backtraces were captured. Like backtraces,
/// they outlive the schedulers.
enum SchedulerNames {
  /// The maximum number of names, so that a program that keeps making schedulers does not fill the
  /// memory.
  private static let most = 4096
  private static let names = Probe.keptOverForks(Lock<[UInt32: String]>([:]))

  static func keep(_ name: String, of id: UInt32) {
    names.withLock { names in
      if names.count < most { names[id] = name }
    }
  }

  static func name(of id: UInt32) -> String {
    if let name = names.withLock({ $0[id] }) { return name }
    // The names of executors are defined for a recording alone.
    let isExecutor = id & SchedulerDefinition.executors != 0
    return isExecutor ? "Swift concurrency" : "scheduler \(id)"
  }
}
