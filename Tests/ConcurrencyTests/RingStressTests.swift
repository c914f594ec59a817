import CVarveSystem
import Foundation
import Synchronization
import Testing
import VarveTestRig

@testable import VarveRecorder

/// A ring whose thread and whose drain thread are at it at once.
@Suite struct RingStressTests {
  @Test("T6: a thread that writes a whole ring over while the drain thread looks stops nobody")
  func overtaken() {
    let lone = LoneRing(policy: vv_policy_overwrite)
    var drain = RingDrain(lone.slot)
    let isOver = Atomic<Bool>(false)
    withThread {
      // As `overwrite` does: the tail goes first, up to what was the head.
      while !isOver.load(ordering: .relaxed) {
        lone.empty()
        lone.writer.pointee.head += LoneRing.capacity
        vv_ring_publish(lone.ring, lone.writer.pointee.head)
      }
    } meanwhile: {
      var isDue = 0
      for _ in 0..<1_000_000
      where drain.due(now: 1, patience: .max, everything: false) != nil { isDue += 1 }
      isOver.store(true, ordering: .relaxed)
      #expect(isDue > 0)
    }
  }

  @Test("T6: who waits for room after many losses goes on when they are told of")
  func waitsForPlaces() {
    let lone = LoneRing()
    let slot = lone.slot
    var drain = RingDrain(slot)
    for _ in 0..<VV_RING_LOSSES {
      #expect(lone.loseOne())
      lone.empty()
      _ = vv_slot_make_room(lone.writer, 64)
    }
    slot.pointee.policy = vv_policy_block.rawValue
    let isRecorded = Atomic<Bool>(false)
    withThread {
      isRecorded.store(vv_slot_make_room(lone.writer, 64), ordering: .releasing)
    } meanwhile: {
      let isWaiting = waits { vv_slot_is_waiting(slot) }
      #expect(isWaiting)
      #expect(drain.takeLosses(whole: false).count == Int(VV_RING_LOSSES) - 1)
      // The disk is full: nobody has been told, and nothing has changed.
      drain.putLossesBack()
      #expect(drain.takeLosses(whole: false).count == Int(VV_RING_LOSSES) - 1)
      drain.lossesWritten()
      let wentOn = waits { isRecorded.load(ordering: .acquiring) }
      #expect(wentOn)
      // So that it goes on in any case.
      vv_slot_close(slot)
    }
  }

  private func waits(until isSo: () -> Bool) -> Bool {
    for _ in 0..<60_000 {
      if isSo() { return true }
      usleep(1_000)
    }
    return false
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
}
