import CVarveSystem
import Testing

@testable import VarveRecorder

/// How many rings are made for threads to come.
@Suite struct SparesTests {
  private func pool(waiting: UInt32 = 0, spare: UInt32) -> vv_pool_state {
    var pool = vv_pool_state()
    pool.waiting = waiting
    pool.spare = spare
    return pool
  }

  @Test("there are as many as threads wait for, and some more")
  func waiting() {
    var spares = Spares()
    let now = vv_clock_monotonic()
    #expect(spares.wanted(pool(spare: 0), isStarved: false, now: now) == 8)
    #expect(spares.wanted(pool(waiting: 3, spare: 0), isStarved: false, now: now) == 11)
    #expect(spares.wanted(pool(spare: 8), isStarved: false, now: now) == 0)
  }

  @Test("T6: once the disk has room again, threads may wait again, even if rings have come back")
  func starved() {
    var spares = Spares()
    let now = vv_clock_monotonic()
    spares.pause(now: now)
    #expect(spares.wanted(pool(spare: 9), isStarved: true, now: now) == 0)
    #expect(spares.wanted(pool(spare: 9), isStarved: true, now: now + 1_000_000_000) == 1)
    #expect(spares.wanted(pool(spare: 9), isStarved: false, now: now + 1_000_000_000) <= 0)
  }
}
