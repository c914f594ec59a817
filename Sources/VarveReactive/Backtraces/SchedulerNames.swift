internal import VarveProbe

/// The names of schedulers that scheduled work while backtraces were captured. They outlive the
/// schedulers, as backtraces do.
enum SchedulerNames {
  /// A program that makes schedulers without end must not fill the memory with names.
  private static let most = 4096
  private static let names = Probe.keptOverForks(Lock<[UInt32: String]>([:]))

  static func keep(_ name: String, of id: UInt32) {
    names.withLock { names in
      if names.count < most { names[id] = name }
    }
  }

  static func name(of id: UInt32) -> String {
    names.withLock { $0[id] } ?? "scheduler \(id)"
  }
}
