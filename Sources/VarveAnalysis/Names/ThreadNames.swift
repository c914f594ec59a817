public import VarveFormat

/// What threads are called, one name a thread.
public struct ThreadNames: Sendable {
  private let names: [UInt32: String]

  /// Names the threads of a trace. The process's first thread is `main`; a thread without a name
  /// of its own is called after its number, and so are those that share a name.
  public init(_ threads: [UInt32: ThreadDefinition], pid: UInt32) {
    var owners: [String: Set<UInt64>] = [:]
    for thread in threads.values where !thread.name.isEmpty {
      owners[thread.name, default: []].insert(thread.systemID)
    }
    names = threads.mapValues { thread in
      if thread.systemID == UInt64(pid) { return "main" }
      if thread.name.isEmpty { return "thread \(thread.systemID)" }
      let isShared = owners[thread.name, default: []].count > 1 || thread.name == "main"
      return isShared ? "\(thread.name) \(thread.systemID)" : thread.name
    }
  }

  /// The name of the thread behind a ring.
  public subscript(ring: UInt32) -> String { names[ring] ?? "ring \(ring)" }
}
