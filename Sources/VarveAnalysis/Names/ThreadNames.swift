public import VarveFormat

/// What threads are called, one name a thread.
public struct ThreadNames: Sendable {
  private let names: [UInt32: String]

  /// Names the threads of a trace. The process's first thread is `main`; a thread without a name
  /// of its own is called after its number, and so are those that share a name. Those of a system's
  /// pool are workers: what they are called there tells nobody anything.
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

  /// Linux keeps the end of `com.apple.root.default-qos.overcommit`, or its beginning.
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

  /// The thread's number, which names of events begin with, and its name: `4 (worker)`.
  public func numbered(_ ring: UInt32) -> String {
    names[ring].map { "\(EventName.thread(ring)) (\($0))" } ?? self[ring]
  }

  /// All that a thread may be called when it is chosen.
  func all(of thread: ThreadDefinition) -> [String] {
    [self[thread.ring], thread.name, EventName.thread(thread.ring), String(thread.systemID)]
  }
}
