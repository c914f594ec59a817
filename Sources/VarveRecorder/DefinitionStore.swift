internal import CVarveSystem
internal import VarveFormat
internal import VarveProbe

/// A store that writes definitions to a mapped log in the sidecar before any record can refer to
/// them. While the log is full, a defining thread waits for the drain thread: as long as necessary
/// with the blocking policy, otherwise only briefly. What still does not fit, or cannot be written,
/// waits in memory.
final class DefinitionStore: ProbeReceiver {
  /// The only receiver of the process. It outlives recordings, so that streams never refer to the
  /// receiver of a finished one.
  static let shared = DefinitionStore()

  fileprivate struct Log: @unchecked Sendable {
    // Safety: the slot and its mapping are accessed under the lock below; the drain thread shares
    // only the ring's head and tail with it.
    let slot: UnsafeMutablePointer<vv_slot>
    var writer = vv_writer()
    /// The tail at which a thread last waited for room in vain.
    var waitedAt: UInt64?
  }

  private let log = Monitor<Log?>(nil)
  /// Definitions that did not fit into the log. They have a lock of their own, because the drain
  /// thread must not wait for a thread that is waiting for room in the log.
  private let overflowing = Monitor(DefinitionOverflow())
  /// The modules that the recording knows.
  let modules = Monitor(KnownModules())

  /// The streams whose names match some patterns.
  private struct Watch: Sendable {
    var patterns: [NameGlob] = []
    var streams: Set<UInt32> = []
  }

  private let watch = Monitor(Watch())

  /// The names of schedulers, for threads that run their work.
  private let schedulers = Monitor<[UInt32: String]>([:])
  private static let mostSchedulers = 4_096

  /// Starts writing definitions to a log of the sidecar.
  func open(_ slot: UnsafeMutablePointer<vv_slot>, session: UInt32) {
    log.withLock {
      var opened = Log(slot: slot)
      opened.writer.slot = slot
      opened.writer.ring = slot.pointee.ring
      opened.writer.session = session
      $0 = opened
      // Definitions that an earlier recording could not write do not belong to this one.
      overflowing.withLock { $0 = DefinitionOverflow() }
      modules.withLock { $0.forgetKept() }
    }
  }

  /// Stops keeping definitions.
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

  func define(_ template: TaskTemplateDefinition) { keep(.taskTemplate(template)) }

  /// Writes a definition to the log of the running recording.
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

  /// Returns a scheduler's short name: `search` for `QueueScheduler(search)`.
  func schedulerName(_ id: UInt32) -> String? {
    guard let name = schedulers.withLock({ $0[id] }) else { return nil }
    guard name.hasSuffix(")"), let opening = name.firstIndex(of: "(") else { return name }
    let label = name[name.index(after: opening)...].dropLast()
    return label.isEmpty ? name : String(label)
  }

  /// The schedulers defined so far.
  var knownSchedulers: [SchedulerDefinition] {
    schedulers.withLock { $0.map { SchedulerDefinition(id: $0.key, name: $0.value) } }
  }

  /// Starts collecting the streams whose names match one of some patterns.
  func watch(for patterns: [NameGlob]) {
    watch.withLock { $0 = Watch(patterns: patterns) }
  }

  /// Returns whether a stream defined since then has such a name.
  func isWatched(_ stream: UInt32) -> Bool { watch.withLock { $0.streams.contains(stream) } }

  private func look(at stream: StreamDefinition) {
    watch.withLock { watch in
      guard watch.patterns.contains(where: { $0.matches(stream.name) }) else { return }
      watch.streams.insert(stream.id)
    }
  }

  /// The definitions that currently do not fit into the log.
  var overflow: DefinitionOverflow { overflowing.withLock { $0 } }

  /// Removes the first bytes of the overflow's oldest part, which are in the file now.
  func overflowWritten(_ bytes: Int) { overflowing.withLock { $0.written(bytes) } }

  /// Removes a loss of definitions that the file reports now.
  func overflowTold(_ loss: TraceLoss) { overflowing.withLock { $0.told(loss) } }

  /// Resets the store in the child of a fork, which records nothing.
  func beginAnew() {
    log.beginAnew(nil)
    overflowing.beginAnew(DefinitionOverflow())
    modules.beginAnew(KnownModules())
    watch.beginAnew(Watch())
    schedulers.beginAnew([:])
  }
}

extension DefinitionStore.Log {
  /// Appends a definition; returns false if there is no room and waiting is of no use.
  mutating func append(_ bytes: [UInt8]) -> Bool {
    let tail = vv_ring_tail(slot.pointee.ring)
    // One thread has waited for all: no other waits until the drain thread has made progress.
    guard waitedAt != tail else { return false }
    // May wait under the lock, which the drain thread never takes.
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
