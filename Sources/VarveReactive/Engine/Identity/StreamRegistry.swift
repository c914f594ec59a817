internal import CVarveSystem
internal import Synchronization
package import VarveProbe

/// All streams that live, for a debugger, for leak checks and for recordings that begin later.
///
/// Weak by construction: an identity enters when it is made and leaves when it goes.
package enum StreamRegistry {
  /// Shards, so that threads that make streams at once seldom meet.
  private static let shards = (0..<16).map { _ in
    // What goes while another lock is held, a scheduler of the user's perhaps, may hold streams.
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

  /// How many streams live.
  package static var count: Int { shards.reduce(0) { $0 + $1.withLock { $0.count } } }

  /// The definitions of all streams that live, in the order in which they were made.
  package static func definitions() -> [StreamDefinition] {
    living().map(\.definition).sorted { $0.id < $1.id }
  }

  /// The definitions of the streams that live and were made on the calling thread.
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
  /// A strong reference, unless the object is being deinitialised. Called while the shard is locked:
  /// `deinit` cannot pass `remove`, so the memory is still there.
  fileprivate func retainedIfAlive() -> StreamIdentity? {
    let object = takeUnretainedValue()
    // Until there is a reference that leaves the lock with its holder. Were this one the last, what it
    // lets go of would wait for the lock that is held here.
    return withExtendedLifetime(object) {
      weak let reference = object
      return reference
    }
  }
}
