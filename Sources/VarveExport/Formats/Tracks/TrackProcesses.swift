internal import VarveAnalysis
internal import VarveFormat

/// The processes under which tracks are drawn: those of the trace and, if they are several, one for
/// what may be of any of them.
struct TrackProcesses {
  struct Process {
    var name: String
    /// A number that no other process here has: viewers tell processes apart by it.
    var pid: UInt32
  }

  /// The processes; of several, the last one stands for what is not known.
  let all: [Process]
  private let recorded: RecordedProcesses
  private let owners: TrackOwners
  private let unknown: Int

  /// From here on, no process of a system has these numbers.
  private static let firstMadeUp: UInt32 = 0x2000_0000

  init(_ recorded: RecordedProcesses, _ owners: TrackOwners) {
    self.recorded = recorded
    self.owners = owners
    guard recorded.areSeveral else {
      all = recorded.all.map { Process(name: $0.program, pid: $0.pid) }
      unknown = 0
      return
    }
    var pids: Set<UInt32> = []
    var processes: [Process] = []
    for (place, one) in recorded.all.enumerated() {
      let isUsable = 1..<Self.firstMadeUp ~= one.pid && pids.insert(one.pid).inserted
      processes.append(
        isUsable
          ? Process(name: one.program, pid: one.pid)
          : Process(
            name: "\(one.program)[\(one.pid)]", pid: Self.firstMadeUp | UInt32(place + 1)))
    }
    unknown = processes.count
    all = processes + [Process(name: "unknown process", pid: Self.firstMadeUp)]
  }

  /// The processes that the trace names.
  var named: Range<Int> { 0..<recorded.all.count }

  /// Returns the place of the process of a thread.
  func place(ofRing ring: UInt32) -> Int { recorded.place(ofRing: ring) ?? unknown }

  /// Returns the place of the process that a stream is of.
  func place(ofStream stream: UInt32) -> Int { place(owners.streams[stream]) }

  /// Returns the place of the process that a scheduler is of.
  func place(ofScheduler scheduler: UInt32) -> Int { place(owners.schedulers[scheduler]) }

  private func place(_ recording: UInt32?) -> Int {
    guard recorded.areSeveral else { return 0 }
    return recording.flatMap { recorded.place(ofRecording: $0) } ?? unknown
  }

  /// Returns the name of a thread below its process.
  func thread(_ ring: UInt32, _ words: TraceWords) -> String {
    let name = words.thread(ring)
    guard recorded.areSeveral, let place = recorded.place(ofRing: ring) else { return name }
    let prefix = words.style.name("\(recorded.all[place].program)[\(recorded.all[place].pid)] ")
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
  }
}

/// The recordings that the streams and schedulers of a merged trace are of, which their events tell.
struct TrackOwners {
  private(set) var streams: [UInt32: UInt32] = [:]
  private(set) var schedulers: [UInt32: UInt32] = [:]

  /// Notes the recording of an event's stream or scheduler, if that is defined: the others could be
  /// any number.
  mutating func note(
    _ index: Int, _ block: ColumnPointers, _ definitions: TraceDefinitions
  ) {
    let id = block.streams[index]
    if Hops.contains(block.kinds[index]) {
      guard schedulers[id] == nil, definitions.schedulers[id] != nil else { return }
      schedulers[id] = EventName.recording(block.ring)
    } else {
      guard streams[id] == nil, definitions.streams[id] != nil else { return }
      streams[id] = EventName.recording(block.ring)
    }
  }
}
