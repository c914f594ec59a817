public import VarveFormat

/// The names of threads, one for each thread.
public struct ThreadNames: Sendable {
  private let names: [UInt32: String]

  /// Names the threads of a trace. The process's first thread is `main`. A thread without a name is
  /// called by its system ID, which also follows names that several threads share. Threads of a
  /// system's pool are called workers, because their names there mean nothing to users.
  public init(_ threads: [UInt32: ThreadDefinition], pid: UInt32) {
    var owners: [String: Set<UInt64>] = [:]
    for thread in threads.values where !thread.name.isEmpty {
      owners[Self.plain(thread.name), default: []].insert(thread.systemID)
    }
    names = threads.mapValues { thread in
      if thread.systemID == UInt64(pid) { return "main" }
      if thread.name.isEmpty { return "thread \(thread.systemID)" }
      let name = Self.plain(thread.name)
      let isShared = owners[name, default: []].count > 1 || name == "main"
      return isShared ? "\(name) \(thread.systemID)" : name
    }
  }

  /// Linux truncates `com.apple.root.default-qos.overcommit` at either end.
  private static func plain(_ name: String) -> String {
    let isOfPool =
      name.hasSuffix("-qos") || name.contains("-qos.") || name.hasSuffix("overcommit")
      || name.hasPrefix("com.apple.root") || name.hasPrefix("DispatchWorker")
    return isOfPool ? "worker" : name
  }

  /// The name of the thread behind a ring.
  public subscript(ring: UInt32) -> String {
    names[ring] ?? "ring \(EventName.thread(ring))"
  }

  /// Returns the thread's number, with which its events' names begin, and its name: `4 (worker)`.
  public func numbered(_ ring: UInt32) -> String {
    names[ring].map { "\(EventName.thread(ring)) (\($0))" } ?? self[ring]
  }

  /// Returns every name by which a thread may be selected.
  func all(of thread: ThreadDefinition) -> [String] {
    // In a merge of several recordings, `shop[4711] main` is a `main`, too.
    let own = EventName.recording(thread.ring) == 0 ? nil : thread.name.firstRange(of: "] ")
    return [self[thread.ring], thread.name, EventName.thread(thread.ring), String(thread.systemID)]
      + (own.map { [String(thread.name[$0.upperBound...])] } ?? [])
  }
}
