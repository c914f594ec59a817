internal import CVarveSystem
internal import VarveFormat

/// The number of rings kept ready for new threads. Making one takes about a millisecond, so threads
/// that start in numbers, as those do that run tasks, should find some ready; after a quiet while,
/// one is enough.
///
/// Spare rings take disk space but hardly any memory: only the beginning of one of them is made
/// ready, and the rest after a thread has taken it.
struct Spares {
  private(set) var target = vv_tasks_are_followed() ? 12 : 8
  private var misses: UInt64 = 0
  private var quietSince = vv_clock_monotonic()
  private var retryAt: UInt64 = 0

  private static let most = 32
  /// The bytes of a ring that its thread finds ready.
  static let ready: UInt64 = 256 << 10
  private static let quiet: UInt64 = 5_000_000_000
  private static let pause: UInt64 = 200_000_000

  /// Returns the number of rings to make now.
  ///
  /// - Parameter isStarved: Whether the last one could not be made. At least one is then tried,
  ///   however many there are, because new threads do not wait for a ring until one has been made.
  mutating func wanted(_ pool: vv_pool_state, isStarved: Bool, now: UInt64) -> Int {
    if pool.misses != misses {
      misses = pool.misses
      target = min(target * 2, Self.most)
      quietSince = now
    } else if now > quietSince + Self.quiet {
      target = 1
    }
    guard now >= retryAt else { return 0 }
    return max(Int(pool.waiting) + target - Int(pool.spare), isStarved ? 1 : 0)
  }

  /// Postpones the next attempt, because there is no room for another ring.
  mutating func pause(now: UInt64) { retryAt = now + Self.pause }

  /// Returns how many of the spare rings will not be needed soon. Freeing space may take the system
  /// long, so it is done gradually, and only when no thread has needed a ring for a while.
  func superfluous(_ spare: Int, now: UInt64) -> Int {
    now > quietSince + Self.quiet ? max(0, min(spare - 2 * target, 8)) : 0
  }
}

extension Drain {
  /// Makes rings for new threads, and for those waiting for one.
  func keepSparesReady() {
    for index in rings.indices { rings[index].makeReadyIfTaken() }
    let now = vv_clock_monotonic()
    var wanted = spares.wanted(vv_pool_look(), isStarved: isStarved, now: now)
    while wanted > 0 {
      do throws(TraceFileError) {
        try addRing()
        wanted -= 1
        if isStarved { starve(false) }
      } catch {
        spares.pause(now: now)
        starve(true)
        return
      }
    }
  }

  private func starve(_ isStarved: Bool) {
    self.isStarved = isStarved
    vv_pool_starve(isStarved)
  }

  private func addRing() throws(TraceFileError) {
    let isFirst = vv_pool_look().spare == 0
    let slot = try sidecar.addRegion(
      vv_region_ring, capacity: options.capacity, policy: options.slotPolicy,
      ready: isFirst ? Spares.ready : 0)
    rings.append(RingDrain(slot))
    vv_pool_add(slot)
  }

  /// Makes rings that their threads have left available to others.
  func recycle() {
    for index in rings.indices where rings[index].isFinished {
      let slot = rings[index].slot
      vv_slot_recycle(slot)
      rings[index] = RingDrain(slot)
      vv_pool_add(slot)
    }
  }

  /// Gives the space of rings that will not be needed soon back to the system.
  func trim(now: UInt64) {
    for _ in 0..<spares.superfluous(Int(vv_pool_look().spare), now: now) {
      guard let slot = vv_pool_remove() else { return }
      rings.removeAll { $0.slot == slot }
      sidecar.giveBack(slot)
    }
  }
}
