internal import CVarveSystem
internal import VarveProbe

/// What a thread that lends itself to schedulers is called: after the one whose work it has run, or
/// `worker` when there were several.
///
/// The workers of a system's thread pool all bear the pool's name, which tells nobody anything.
struct ThreadSchedulers {
  private let lendsItself: Bool
  private var seen: [UInt32] = []
  /// Whether the name is another than when it was last taken.
  private(set) var hasNews = false

  private static let most = 2

  init(threadName: String) {
    // Linux keeps the end of "com.apple.root.default-qos.overcommit", or its beginning.
    lendsItself =
      threadName.contains("-qos") || threadName.hasSuffix("overcommit")
      || threadName.hasPrefix("com.apple.root") || threadName.hasPrefix("DispatchWorker")
  }

  /// Looks at records that the thread has made.
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

  /// The thread's name; nil when it has a better one of its own, or has run nothing yet.
  mutating func takeName() -> String? {
    hasNews = false
    guard lendsItself, let only = seen.first else { return nil }
    return seen.count == 1 ? DefinitionStore.shared.schedulerName(only) : "worker"
  }
}
