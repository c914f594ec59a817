internal import CVarveSystem
internal import VarveProbe

/// The name of a thread that works for schedulers: that of the scheduler whose work it has run, or
/// `worker` if there were several, or if it has run tasks: their executors share threads with all queues.
///
/// The threads of a system's thread pool all have the pool's name, which says nothing.
struct ThreadSchedulers {
  private let lendsItself: Bool
  private var seen: [UInt32] = []
  /// Whether the name has changed since it was last taken.
  private(set) var hasNews = false

  private static let most = 2

  init(threadName: String) {
    // Linux truncates "com.apple.root.default-qos.overcommit" at its beginning or at its end.
    lendsItself =
      threadName.contains("-qos") || threadName.hasSuffix("overcommit")
      || threadName.hasPrefix("com.apple.root") || threadName.hasPrefix("DispatchWorker")
  }

  /// Examines records that the thread has made.
  mutating func look(at records: UnsafeRawBufferPointer) {
    guard lendsItself else { return }
    var offset = 0
    while seen.count < Self.most, offset < records.count {
      let rest = UnsafeRawBufferPointer(rebasing: records[offset...])
      offset += Int(
        vv_records_find(rest.baseAddress, UInt64(rest.count), 1 << RecordKind.hopBegan.rawValue))
      guard offset < records.count else { return }
      let scheduler = records.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      if !seen.contains(scheduler) {
        seen.append(scheduler)
        hasNews = true
      }
      offset += Int(records[offset]) * 8
    }
  }

  /// Takes the thread's name; nil if it has a better one of its own, or has run nothing yet.
  mutating func takeName() -> String? {
    hasNews = false
    guard lendsItself, let only = seen.first else { return nil }
    let isOfTasks = only & SchedulerDefinition.executors != 0
    return seen.count == 1 && !isOfTasks ? DefinitionStore.shared.schedulerName(only) : "worker"
  }
}
