import CVarveSystem
import Glibc
import Synchronization
import Testing

@testable import VarveFormat
@testable import VarveRecorder

private final class Flag: Sendable {
  let isSet = Atomic<Bool>(false)
}

/// A ring without a recording: its thread and its drain thread take turns.
@Suite struct RingDrainTests {
  private let folder = Folder()
  private let slot: UnsafeMutablePointer<vv_slot>
  private let writer = UnsafeMutablePointer<vv_writer>.allocate(capacity: 1)
  private static let capacity: UInt64 = 64 << 10

  init() throws {
    let path = folder.file("ring")
    let file = open(path, O_RDWR | O_CREAT, 0o600)
    try #require(file >= 0 && ftruncate(file, 16_384 + off_t(Self.capacity)) == 0)
    defer { close(file) }
    let base = try #require(vv_ring_map(file, 0, Self.capacity, .max))
    slot = try #require(vv_slot_make(base, Self.capacity, 0, vv_policy_drop))
    writer.initialize(to: vv_writer())
    vv_slot_take(slot, writer, 1, 7)
  }

  private var ring: UnsafeMutablePointer<vv_ring> { slot.pointee.ring }

  /// Fills the ring; its content is of no interest.
  private func fill() {
    writer.pointee.head = ring.pointee.tail + Self.capacity
    vv_ring_publish(ring, writer.pointee.head)
  }

  /// The drain thread has taken everything.
  private func empty() { vv_ring_pass(ring, writer.pointee.head, 0) }

  private func loseOne() -> Bool {
    fill()
    return !vv_slot_make_room(writer, 64)
  }

  @Test("T6: who has lost a record never waits for the drain thread to tell of other losses")
  func losesWithoutWaiting() throws {
    var drain = RingDrain(slot)
    var count: UInt64 = 0
    var told: UInt64 = 0
    for round in 0..<5 {
      // As many runs as there are places, and more.
      for _ in 0..<(30 + round) {
        #expect(loseOne())
        count += 1
        empty()
        #expect(vv_slot_make_room(writer, 64))
      }
      // The drain thread is about to write them into the file, and the disk is slow.
      let taken = drain.takeLosses(whole: false)
      let done = Flag()
      withThread {
        for _ in 0..<3 { _ = loseOne(); empty(); _ = vv_slot_make_room(writer, 64) }
        done.isSet.store(true, ordering: .releasing)
      } meanwhile: {
        for _ in 0..<20_000 where !done.isSet.load(ordering: .acquiring) { usleep(1_000) }
        let wasQuick = done.isSet.load(ordering: .acquiring)
        #expect(wasQuick, "round \(round)")
        for (loss, one) in taken { told += one.count; vv_loss_told(loss, true) }
      }
      count += 3
    }
    for (loss, rest) in drain.takeLosses(whole: true) {
      told += rest.count
      vv_loss_told(loss, true)
    }
    #expect(told == count)
  }

  @Test("T6: a loss in the lobby is told of the thread that has its place when it is taken")
  func takenWithItsThread() {
    let loss = UnsafeMutablePointer<vv_loss>.allocate(capacity: 1)
    defer { loss.deallocate() }
    let closed = UInt64(vv_loss_closed.rawValue)
    loss.initialize(to: vv_loss(state: closed, count: 3, first: 10, last: 12))
    // Another thread may move in, and lose records, until the run is taken.
    func owner() -> UInt32 { loss.pointee.state == UInt64(vv_loss_telling.rawValue) ? 2 : 1 }
    let told = TraceLoss(taking: loss, whole: true, ring: owner())
    #expect(told?.ring == 2 && told?.count == 3)
  }

  /// Runs one thing on a thread of its own and the other meanwhile.
  private func withThread(_ body: () -> Void, meanwhile: () -> Void) {
    withoutActuallyEscaping(body) { body in
      let context = UnsafeMutablePointer<() -> Void>.allocate(capacity: 1)
      context.initialize(to: body)
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { context in
          context!.assumingMemoryBound(to: (() -> Void).self).pointee()
          return nil
        }, context)
      meanwhile()
      pthread_join(thread, nil)
      context.deinitialize(count: 1)
      context.deallocate()
    }
  }

  @Test("T6: records that the program has overwritten are not given up in silence")
  func overwrittenByProgram() throws {
    let options = Recorder.Options()
    let anchor = ClockAnchor.now(options)
    let path = folder.file("run.varve")
    do {
      let header = TraceHeader(
        id: .random(), process: .current, clock: .current(options, since: anchor), anchor: anchor)
      let file = try TraceWriter(creating: path, header: header)
      var drain = RingDrain(slot)
      // A record has a length; zeros are what is left where somebody has cleared memory.
      fill()
      try drain.drain(
        to: vv_ring_published(ring), into: file, watch: SnapshotWatch([], besides: path))
      #expect(vv_ring_tail(ring) == vv_ring_published(ring))
      try file.finish(ending: .clean)
    }
    let losses = try TraceReader(path: path).losses
    #expect(losses.map(\.ring) == [7] && losses.map(\.count) == [1])
  }
}
