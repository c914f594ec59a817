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
      owners[Self.plain(thread), default: []].insert(thread.systemID)
    }
    names = threads.mapValues { thread in
      if thread.systemID == UInt64(pid) { return "main" }
      if thread.name.isEmpty { return "thread \(thread.systemID)" }
      let name = Self.plain(thread)
      let isShared = owners[name, default: []].count > 1 || name == "main"
      return isShared ? "\(name) \(thread.systemID)" : name
    }
  }

  /// Linux truncates `com.apple.root.default-qos.overcommit` at either end.
  private static func plain(_ thread: ThreadDefinition) -> String {
    let own = thread.name[ownName(of: thread, in: thread.name)...]
    let isOfPool =
      own.hasSuffix("-qos") || own.contains("-qos.") || own.hasSuffix("overcommit")
      || own.hasPrefix("com.apple.root") || own.hasPrefix("DispatchWorker")
    return isOfPool ? "\(thread.name[..<own.startIndex])worker" : thread.name
  }

  /// Returns where a thread's own name begins: in a merge of several recordings, it follows that of its
  /// process, as in `shop[4711] main`.
  private static func ownName(of thread: ThreadDefinition, in name: String) -> String.Index {
    let process = EventName.recording(thread.ring) == 0 ? nil : name.firstRange(of: "] ")
    return process?.upperBound ?? name.startIndex
  }

  /// Returns the process that the name of a thread of several recordings begins with, as `shop[4711]`;
  /// nil where it names none.
  public static func process(of thread: ThreadDefinition) -> String? {
    let own = ownName(of: thread, in: thread.name)
    return own == thread.name.startIndex ? nil : String(thread.name[..<own].dropLast())
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
    let names = [self[thread.ring], thread.name]
    let own = names.map { String($0[Self.ownName(of: thread, in: $0)...]) }
    return names + own + [EventName.thread(thread.ring), String(thread.systemID)]
  }
}
