import CVarveSystem
import Testing
import VarveProbe
import VarveTestRig

@testable import VarveFormat
@testable import VarveRecorder

/// A ring and its drain thread, by turns.
@Suite struct RingDrainTests {
  private let folder = Folder()
  private let lone = LoneRing()

  private var slot: UnsafeMutablePointer<vv_slot> { lone.slot }
  private var writer: UnsafeMutablePointer<vv_writer> { lone.writer }
  private var ring: UnsafeMutablePointer<vv_ring> { lone.ring }

  @Test("T6: when the drain thread is woken, what it was woken for is there to be taken")
  func wokenInTime() throws {
    var drain = RingDrain(slot)
    // Half a ring is no multiple of a record's 48 bytes: one reaches beyond.
    while writer.pointee.limit != LoneRing.capacity {
      if writer.pointee.head + 48 > writer.pointee.limit {
        try #require(vv_slot_make_room(writer, 48))
        // Only here the bell may ring, and the record that there is room for now is not there yet.
        let isRung = writer.pointee.limit == LoneRing.capacity
        let isDue = drain.due(now: 1, patience: .max, everything: false) != nil
        #expect(isRung == isDue)
      }
      lone.emit("12345678")
    }
  }

  @Test("T6: a ring of many parts calls the drain thread for each of them, not for the first alone")
  func calledForEachPart() throws {
    slot.pointee.quantum = LoneRing.capacity / 8
    writer.pointee.limit = slot.pointee.quantum
    var latest: UInt64 = 0
    while writer.pointee.head + 48 <= LoneRing.capacity {
      if writer.pointee.head + 48 > writer.pointee.limit {
        try #require(vv_slot_make_room(writer, 48))
        #expect(writer.pointee.head - latest <= slot.pointee.quantum + 48)
        latest = writer.pointee.head
      }
      lone.emit("12345678")
    }
    #expect(writer.pointee.head - latest <= slot.pointee.quantum + 48)
  }

  @Test("T6: no run of losses spans what was recorded, however many nobody has told of")
  func runsSpanNothing() {
    var drain = RingDrain(slot)
    var sent: UInt64 = 0
    var recorded: [UInt64] = []
    var told: [TraceLoss] = []
    // What is sent while the ring is full, and while there is room.
    func send() {
      for isFull in [true, false] {
        isFull ? lone.fill() : lone.empty()
        sent += 1
        if vv_slot_make_room(writer, 64) {
          writer.pointee.last = max(writer.pointee.last + 1, vv_clock_ticks())
          recorded.append(writer.pointee.last)
        }
      }
    }
    for round in 0..<5 {
      // As many runs as there are places, and more; then the drain thread is slow to tell of them.
      for _ in 0..<(30 + round) { send() }
      #expect(drain.isShortOfRuns)
      told += drain.takeLosses(whole: false)
      for _ in 0..<3 { send() }
      drain.lossesWritten()
      #expect(!drain.isShortOfRuns)
    }
    told += drain.takeLosses(whole: true)
    drain.lossesWritten()
    #expect(told.reduce(UInt64(recorded.count)) { $0 + $1.count } == sent)
    #expect(told.count > 150 && recorded.count > 150)
    for loss in told { #expect(!recorded.contains { loss.ticks.contains($0) }) }
  }

  @Test("T6: a log of definitions that was full has room again, however often")
  func logFillsAgain() {
    let definitions = DefinitionStore()
    definitions.open(slot, session: 1)
    let name = String(repeating: "n", count: 3_000)
    for round in 1...40 as ClosedRange<UInt32> {
      let before = vv_ring_published(ring)
      for id in 1...30 as ClosedRange<UInt32> {
        definitions.keep(.scheduler(SchedulerDefinition(id: round * 100 + id, name: name)))
      }
      #expect(vv_ring_published(ring) - before > LoneRing.capacity / 2, "round \(round)")
      for part in definitions.overflow.parts { definitions.overflowWritten(part.bytes.count) }
      vv_ring_pass(ring, vv_ring_published(ring), 0)
    }
    definitions.close()
  }

  @Test("T6: a loss is that of the thread that has its place when it is taken")
  func takenWithItsThread() {
    let loss = UnsafeMutablePointer<vv_loss>.allocate(capacity: 1)
    defer { loss.deallocate() }
    let closed = UInt64(vv_loss_closed.rawValue)
    loss.initialize(to: vv_loss(state: closed, count: 3, first: 10, last: 12))
    // Another thread may move in, and lose records, until the run is taken.
    func owner() -> UInt32 { loss.pointee.state == UInt64(vv_loss_taken.rawValue) ? 2 : 1 }
    let told = TraceLoss(taking: loss, whole: true, ring: owner())
    #expect(told?.ring == 2 && told?.count == 3)
  }

  @Test("T6: after a loss, what is larger than any record waits for as much room as it takes")
  func largeAfterLoss() {
    #expect(lone.loseOne())
    // More room than the largest record takes.
    vv_ring_pass(ring, ring.pointee.tail + 2_504, 0)
    #expect(!vv_slot_make_room(writer, 3_000))
    #expect(vv_slot_make_room(writer, 2_504))
  }

  @Test("T6: who defines waits for a moment where nobody drains, and then not again")
  func hesitates() throws {
    let ring = LoneRing(policy: vv_policy_hesitate)
    let definitions = DefinitionStore()
    definitions.open(ring.slot, session: 1)
    let name = String(repeating: "n", count: 3_000)
    // A moment for each of them would be half an hour.
    for id in 1...20_000 as ClosedRange<UInt32> {
      definitions.keep(.scheduler(SchedulerDefinition(id: id, name: name)))
    }
    #expect(definitions.overflow.bytes > DefinitionOverflow.most - 4_000)
    #expect(try #require(definitions.overflow.loss).count > 18_000)
    definitions.close()
  }

  @Test("T6: definitions that one recording could not write are none of the next one's")
  func overflowIsForgotten() throws {
    let definitions = DefinitionStore()
    definitions.open(slot, session: 1)
    let name = String(repeating: "n", count: 3_000)
    for id in 1...40 as ClosedRange<UInt32> {
      definitions.keep(.scheduler(SchedulerDefinition(id: id, name: name)))
    }
    let used = vv_ring_published(ring) - vv_ring_tail(ring)
    #expect(used <= LoneRing.capacity && used > LoneRing.capacity - 4_000)
    definitions.close()
    let next = LoneRing()
    definitions.open(next.slot, session: 2)
    #expect(definitions.overflow.parts.isEmpty)
  }

  @Test("a pool's thread keeps its name when its definition has to be written once more")
  func nameIsKept() throws {
    let name = Array("dispatch-qos".utf8)
    withUnsafeMutableBytes(of: &ring.pointee.thread_name) { $0.copyBytes(from: name + [0]) }
    var drain = RingDrain(slot)
    #expect(drain.newThread()?.name == "dispatch-qos")
    for scheduler in 1...2 as ClosedRange<UInt32> { lone.beginHop(on: scheduler) }
    let file = try TestTrace(folder.file("run.varve"))
    try file.drain(&drain, ring)
    #expect(drain.newThread()?.name == "worker")
    // The disk was full.
    drain.putThreadBack()
    #expect(drain.newThread()?.name == "worker")
    #expect(drain.newThread() == nil)
  }

  // MARK: - Rings that the program has overwritten

  @Test("T6: records that the program has overwritten are not given up in silence")
  func overwrittenByProgram() throws {
    // A record has a length; zeros are what is left where somebody has cleared memory.
    lone.fill()
    var drain = RingDrain(slot)
    let file = try TestTrace(folder.file("run.varve"))
    try file.drain(&drain, ring)
    #expect(vv_ring_tail(ring) == vv_ring_published(ring))
    let losses = try file.finished().losses
    #expect(losses.map(\.ring) == [7] && losses.map(\.count) == [1])
  }

  /// What of a record is overwritten.
  enum Damage: CaseIterable {
    case size, farCauses, higherNumber, lowerNumber, textLength

    func strike(_ record: UnsafeMutablePointer<UInt8>) {
      let raw = UnsafeMutableRawPointer(record)
      switch self {
      case .size: record[0] = 1
      case .farCauses: record[3] = 9
      case .higherNumber: raw.storeBytes(of: 1_000_000, toByteOffset: 16, as: UInt32.self)
      case .lowerNumber: raw.storeBytes(of: 0xffff_fff0, toByteOffset: 16, as: UInt32.self)
      case .textLength: raw.storeBytes(of: 5_000, toByteOffset: 36, as: UInt32.self)
      }
    }
  }

  @Test(
    "T6: of a ring with a damaged record, what lies before it and what comes later is kept",
    arguments: Damage.allCases, [1, 2, 5, 10] as [UInt64])
  func damagedRecord(damage: Damage, number: UInt64) throws {
    for policy in [vv_policy_drop, vv_policy_overwrite] {
      let lone = LoneRing(policy: policy)
      var drain = RingDrain(lone.slot)
      let file = try TestTrace(folder.file("run.varve"))
      for value in 1...10 { lone.emit("event \(value)") }
      damage.strike(lone.slot.pointee.data + Int(number - 1) * 48)
      try file.drain(&drain, lone.ring)
      #expect(vv_ring_tail(lone.ring) == vv_ring_published(lone.ring))
      for value in 11...15 { lone.emit("event \(value)") }
      try file.drain(&drain, lone.ring)
      let trace = try file.finished()
      let recorded = try #require(trace.rings[7])
      let expected = Array(1..<number) + Array(11...15)
      #expect(recorded.map(\.sequence) == expected, "\(policy)")
      #expect(recorded.map(\.text) == expected.map { "event \($0)" })
      #expect(trace.losses.map(\.reason) == [.notKept])
      #expect(trace.losses.map(\.count) == [11 - number], "\(policy)")
    }
  }

  @Test("T6: a ring whose head or tail the program has overwritten is left alone, and stops nobody")
  func damagedHeader() throws {
    for policy in [vv_policy_drop, vv_policy_overwrite] {
      for (head, tail) in [(0, 48), (96, UInt64.max), (1 << 40, 0), (.max, 0)] as [(UInt64, UInt64)]
      {
        let lone = LoneRing(policy: policy)
        var drain = RingDrain(lone.slot)
        let file = try TestTrace(folder.file("run.varve"))
        for value in 1...2 { lone.emit("event \(value)") }
        (lone.ring.pointee.head, lone.ring.pointee.tail) = (head, tail)
        _ = drain.due(now: 1, patience: 0, everything: false)
        try file.drain(&drain, lone.ring)
        _ = try file.finished()
      }
    }
  }

  @Test(
    "the number of a record is the next with its lower half, or hardly before",
    arguments: [
      (1, 1, 1), (1, 5, 5), (10, 9, 9), (3_000_000, 2_000_000, 2_000_000),
      (3_000_000, 1, 1 << 32 + 1), (5, 4_000_000_000, 4_000_000_000),
      (1 << 32 + 1, 0xffff_ffff, 0xffff_ffff), (1 << 33, 7, 1 << 33 + 7),
    ] as [(UInt64, UInt32, UInt64)])
  func numbers(near: UInt64, low: UInt32, number: UInt64) {
    var record = [UInt8](repeating: 0, count: 32)
    record.withUnsafeMutableBytes { $0.storeBytes(of: low, toByteOffset: 16, as: UInt32.self) }
    #expect(vv_record_sequence(record, near) == number)
  }

  @Test("T6: the number of a record is not before those that are in the file, however many it lost")
  func farNumbers() throws {
    let lone = LoneRing(policy: vv_policy_overwrite)
    var drain = RingDrain(lone.slot)
    let file = try TestTrace(folder.file("run.varve"))
    lone.emit("first")
    try file.drain(&drain, lone.ring)
    // As when the disk was full for three thousand million records.
    lone.writer.pointee.sequence = 3_000_000_000
    for text in ["second", "third"] { lone.emit(text) }
    try file.drain(&drain, lone.ring)
    let trace = try file.finished()
    #expect(trace.rings[7]?.map(\.sequence) == [1, 3_000_000_001, 3_000_000_002])
    #expect(trace.losses.map(\.count) == [2_999_999_999])
  }
}

/// A trace that a test writes by the side of a recording.
private struct TestTrace {
  private let path: String
  private let writer: TraceWriter

  init(_ path: String) throws {
    self.path = path
    let options = Recorder.Options()
    let anchor = ClockAnchor.now(options)
    let header = TraceHeader(
      id: .random(), process: .current(Recorder.Options()), clock: .current(options, since: anchor),
      anchor: anchor)
    writer = try TraceWriter(creating: path, header: header)
  }

  /// Drains all that a ring holds.
  func drain(_ drain: inout RingDrain, _ ring: UnsafeMutablePointer<vv_ring>) throws {
    let end = vv_ring_published(ring)
    let watch = SnapshotWatch([], besides: path)
    while try drain.drainBlock(before: end, into: writer, watch: watch) {}
  }

  func finished() throws -> RecordedTrace {
    try writer.finish(ending: .clean)
    return try RecordedTrace(path, hasGaps: true)
  }
}
