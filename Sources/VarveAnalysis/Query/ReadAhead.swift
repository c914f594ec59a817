internal import Dispatch
internal import Synchronization
internal import VarveFormat
internal import VarvePlatform

/// Loads the next blocks of a query on another thread, while that of the query looks at the events of
/// those before.
///
/// Only passes over all that matches read ahead: one that is wanted for its first events, or that tests
/// values, would load what it does not need. A block that nobody has begun to load when it is asked
/// for is left to the asking thread, so that it never waits for a thread that is busy with other things.
///
/// Safety: what changes is in `state`, under its lock, and `load` may be called on several threads.
final class ReadAhead: @unchecked Sendable {
  /// A block that was loaded.
  struct Loaded {
    /// Its events.
    let batch: EventBatch
    /// Whether any of them matches.
    let result: Result<Bool, TraceFileError>
  }

  private struct State: @unchecked Sendable {
    // Safety: it is accessed under the lock, and a batch is in it while no thread uses it.

    /// The number of blocks that have been asked for, and that somebody has begun to load.
    var asked = 0
    var begun = 0
    /// What was loaded and not asked for yet, in order.
    var loaded: [Loaded] = []
    var isWorking = false
    /// Whether the query waits for the block that is being loaded.
    var isAwaited = false
    /// Batches to use again.
    var spare: [EventBatch] = []
  }

  private enum Answer {
    case loaded(Loaded), beingLoaded, notBegun, unknown
  }

  private let load: (Int, EventBatch) -> Result<Bool, TraceFileError>
  private let order: [Int]
  private let state = Mutex(State())
  private let isLoaded = DispatchSemaphore(value: 0)
  private let queue = DispatchQueue(label: "Varve read-ahead")

  /// The number of blocks that are loaded ahead.
  private static var most: Int { 2 }
  /// The greatest number of blocks open at once for which it pays: where there are more, blocks are held
  /// in parts, and read again.
  static let mostOpen = 16
  /// The smallest number of blocks for which another thread is worth its start.
  private static var fewestBlocks: Int { 8 }

  /// Prepares to load blocks; nil if there are few, or only one processor.
  ///
  /// - Parameters:
  ///   - order: the blocks, in the order in which they will be asked for.
  ///   - load: decodes a block into a batch, and returns whether an event in it matches. It is called
  ///     on several threads.
  init?(_ order: [Int], _ load: @escaping (Int, EventBatch) -> Result<Bool, TraceFileError>) {
    guard order.count >= Self.fewestBlocks, sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 else {
      return nil
    }
    self.order = order
    self.load = load
  }

  /// Returns the next block; nil if it has to be loaded by the caller.
  ///
  /// - Parameters:
  ///   - block: its index. One that is not the next, since it is read again, is nobody's business here.
  ///   - batch: a batch that may be used for other blocks if the result is not nil.
  func take(_ block: Int, for batch: EventBatch) -> Loaded? {
    let answer: Answer = state.withLock { state in
      guard state.asked < order.count, order[state.asked] == block else { return .unknown }
      state.asked += 1
      if !state.loaded.isEmpty {
        state.spare.append(batch)
        return .loaded(state.loaded.removeFirst())
      }
      if state.begun < state.asked {
        state.begun = state.asked
        return .notBegun
      }
      state.isAwaited = true
      return .beingLoaded
    }
    switch answer {
    case .loaded(let loaded):
      goOn()
      return loaded
    case .notBegun:
      goOn()
      return nil
    case .beingLoaded:
      isLoaded.wait()
      return state.withLock { state in
        state.spare.append(batch)
        return state.loaded.removeFirst()
      }
    case .unknown: return nil
    }
  }

  /// Has the other thread go on, if it has nothing to do.
  private func goOn() {
    let isIdle = state.withLock { state in
      defer { state.isWorking = true }
      return !state.isWorking
    }
    if isIdle { queue.async { self.work() } }
  }

  private func work() {
    while let (block, batch) = begin() {
      let result = load(block, batch)
      let isAwaited = state.withLock { state in
        state.loaded.append(Loaded(batch: batch, result: result))
        defer { state.isAwaited = false }
        return state.isAwaited
      }
      if isAwaited { isLoaded.signal() }
    }
  }

  private func begin() -> (Int, EventBatch)? {
    state.withLock { state in
      guard state.begun < order.count, state.begun - state.asked < Self.most else {
        state.isWorking = false
        return nil
      }
      state.begun += 1
      return (order[state.begun - 1], state.spare.popLast() ?? EventBatch())
    }
  }
}
