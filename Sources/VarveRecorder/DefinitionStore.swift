internal import CVarveSystem
internal import VarveFormat
internal import VarveProbe

/// Keeps definitions safe: in a mapped log of the sidecar before any record can refer to them. While
/// the log is full, whoever defines waits for the drain thread: as long as it takes with the policy to
/// block, else for a moment. What has no room then, or cannot be written, waits in memory.
final class DefinitionStore: ProbeReceiver {
  /// The one receiver of the process. It outlives recordings, so that streams never hold one of a
  /// recording that is over.
  static let shared = DefinitionStore()

  fileprivate struct Log: @unchecked Sendable {
    // Safety: the slot and its mapping are reached through the lock below; the drain thread shares
    // only the ring's head and tail with it.
    let slot: UnsafeMutablePointer<vv_slot>
    var writer = vv_writer()
    /// How far the drain thread had come when somebody waited for room in vain.
    var waitedAt: UInt64?
  }

  private let log = Monitor<Log?>(nil)
  /// What had no room in the log. Behind a lock of its own, since the drain thread must not wait for
  /// somebody who waits for room in the log.
  private let overflowing = Monitor(DefinitionOverflow())
  /// The modules that the recording knows.
  let modules = Monitor(KnownModules())

  /// Streams whose names match one of some patterns.
  private struct Watch: Sendable {
    var patterns: [NameGlob] = []
    var streams: Set<UInt32> = []
  }

  private let watch = Monitor(Watch())

  /// Names of schedulers, for threads that run their work.
  private let schedulers = Monitor<[UInt32: String]>([:])
  private static let mostSchedulers = 4_096

  /// From now on, definitions go to a log of the sidecar.
  func open(_ slot: UnsafeMutablePointer<vv_slot>, session: UInt32) {
    log.withLock {
      var opened = Log(slot: slot)
      opened.writer.slot = slot
      opened.writer.ring = slot.pointee.ring
      opened.writer.session = session
      $0 = opened
      // What an earlier recording could not write is none of this one's.
      overflowing.withLock { $0 = DefinitionOverflow() }
      modules.withLock { $0.forgetKept() }
    }
  }

  /// Definitions are no longer kept.
  func close() { log.withLock { $0 = nil } }

  func define(_ stream: StreamDefinition) {
    keep(.stream(stream))
  }

  func define(_ scheduler: SchedulerDefinition) {
    schedulers.withLock {
      if $0.count < Self.mostSchedulers { $0[scheduler.id] = scheduler.name }
    }
    keep(.scheduler(scheduler))
  }

  /// Puts a definition into the log of the recording that runs.
  func keep(_ definition: TraceDefinition) {
    if case .stream(let stream) = definition { look(at: stream) }
    var bytes: [UInt8] = []
    DefinitionCodec.append(definition, to: &bytes)
    log.withLock {
      guard let isKept = $0?.append(bytes), !isKept, let position = $0?.writer.head else {
        return
      }
      let ticks = vv_clock_ticks()
      overflowing.withLock { $0.append(bytes, at: position, ticks: ticks) }
    }
  }

  /// What people call a scheduler: `search` of `QueueScheduler(search)`.
  func schedulerName(_ id: UInt32) -> String? {
    guard let name = schedulers.withLock({ $0[id] }) else { return nil }
    guard name.hasSuffix(")"), let opening = name.firstIndex(of: "(") else { return name }
    let label = name[name.index(after: opening)...].dropLast()
    return label.isEmpty ? name : String(label)
  }

  /// The schedulers that were defined.
  var knownSchedulers: [SchedulerDefinition] {
    schedulers.withLock { $0.map { SchedulerDefinition(id: $0.key, name: $0.value) } }
  }

  /// From now on, notes which streams have a name that matches one of these.
  func watch(for patterns: [NameGlob]) {
    watch.withLock { $0 = Watch(patterns: patterns) }
  }

  /// Whether a stream that was defined since has such a name.
  func isWatched(_ stream: UInt32) -> Bool { watch.withLock { $0.streams.contains(stream) } }

  private func look(at stream: StreamDefinition) {
    watch.withLock { watch in
      guard watch.patterns.contains(where: { $0.matches(stream.name) }) else { return }
      watch.streams.insert(stream.id)
    }
  }

  /// What found no room in the log, as it is now.
  var overflow: DefinitionOverflow { overflowing.withLock { $0 } }

  /// The first so many bytes of its oldest part are in the file.
  func overflowWritten(_ bytes: Int) { overflowing.withLock { $0.written(bytes) } }

  /// The file tells of definitions that were left out.
  func overflowTold(_ loss: TraceLoss) { overflowing.withLock { $0.told(loss) } }

  /// In the child of a fork, which records nothing.
  func beginAnew() {
    log.beginAnew(nil)
    overflowing.beginAnew(DefinitionOverflow())
    modules.beginAnew(KnownModules())
    watch.beginAnew(Watch())
    schedulers.beginAnew([:])
  }
}

extension DefinitionStore.Log {
  /// Appends a definition; false when there was no room and it is of no use to wait.
  mutating func append(_ bytes: [UInt8]) -> Bool {
    let tail = vv_ring_tail(slot.pointee.ring)
    // One has waited for all: nobody else does before the drain thread has done something.
    guard waitedAt != tail else { return false }
    // Waits, if it must, under the lock: the drain thread never takes it.
    guard vv_slot_find_room(&writer, UInt32(bytes.count)) else {
      waitedAt = tail
      return false
    }
    let start = Int(writer.head & (slot.pointee.capacity - 1))
    let first = min(bytes.count, Int(slot.pointee.capacity) - start)
    let data = UnsafeMutableRawPointer(slot.pointee.data!)
    bytes.withUnsafeBytes {
      (data + start).copyMemory(from: $0.baseAddress!, byteCount: first)
      data.copyMemory(from: $0.baseAddress! + first, byteCount: bytes.count - first)
    }
    writer.head += UInt64(bytes.count)
    vv_ring_publish(slot.pointee.ring, writer.head)
    return true
  }
}
