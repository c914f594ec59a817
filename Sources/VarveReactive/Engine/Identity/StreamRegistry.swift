internal import CVarveSystem
internal import Synchronization
package import VarveProbe

/// All living streams, for debuggers, for leak checks and for later recordings.
///
/// The registry is weak by construction: an identity enters when it is made and leaves when it is
/// released.
package enum StreamRegistry {
  /// Shards, so that threads that make streams at the same time seldom contend.
  private static let shards = (0..<16).map { _ in
    // Last, because an object that is released under another lock, perhaps a user's scheduler, may
    // hold streams.
    Probe.keptOverForks(Lock<[UInt32: Unmanaged<StreamIdentity>]>([:]), isLast: true)
  }
  private static let isAnnounced = Atomic<Bool>(false)

  static func add(_ stream: StreamIdentity) {
    if !isAnnounced.load(ordering: .relaxed) { announce() }
    let entry = Unmanaged.passUnretained(stream)
    shards[Int(stream.id & 15)].withLock { $0[stream.id] = entry }
  }

  static func remove(_ id: UInt32) {
    shards[Int(id & 15)].withLock { _ = $0.removeValue(forKey: id) }
  }

  /// The number of living streams.
  package static var count: Int { shards.reduce(0) { $0 + $1.withLock { $0.count } } }

  /// Returns the definitions of all living streams, in the order in which they were made.
  package static func definitions() -> [StreamDefinition] {
    living().map(\.definition).sorted { $0.id < $1.id }
  }

  /// Returns the definitions of the living streams that were made on the calling thread.
  package static func definitionsOfThisThread() -> [StreamDefinition] {
    let maker = UInt(bitPattern: vv_thread_current())
    return living().filter { $0.maker == maker }.map(\.definition).sorted { $0.id < $1.id }
  }

  private static func living() -> [StreamIdentity] {
    shards.flatMap { shard in shard.withLock { $0.values.compactMap { $0.retainedIfAlive() } } }
  }

  private static func announce() {
    guard !isAnnounced.exchange(true, ordering: .relaxed) else { return }
    Probe.addDescriber { definitions() }
  }
}

extension Unmanaged<StreamIdentity> {
  /// Returns a strong reference, unless the object is being deinitialized. Called while the shard
  /// is locked: `deinit` cannot get past `remove`, so the memory is still there.
  fileprivate func retainedIfAlive() -> StreamIdentity? {
    let object = takeUnretainedValue()
    // Keeps the object until there is a reference that leaves the lock with its holder. If this
    // reference were the last, its release would wait for the lock that is held here.
    return withExtendedLifetime(object) {
      weak let reference = object
      return reference
    }
  }
}
