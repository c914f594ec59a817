internal import Dispatch
internal import Synchronization
internal import VarveFormat
internal import VarvePlatform

/// Loads the next blocks of a query on another thread, while that of the query looks at the events of
/// those before.
///
/// Only passes over all that matches read ahead: one that is wanted for its first events would load what
/// it does not need. A block that nobody has begun to load when it is asked for is left to the asking
/// thread, so that it never waits for a thread that is busy with other things; while the other thread loads
/// the block that is asked for, the asking one loads those after it.
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
    /// What was loaded and not handed out yet, by its place in the order.
    var loaded: [Int: Loaded] = [:]
    var isWorking = false
    /// Whether the query waits for the block that is being loaded.
    var isAwaited = false
    /// Batches to use again.
    var spare: [EventBatch] = []
  }

  private enum Answer {
    case loaded(Loaded), beingLoaded(place: Int), notBegun, unknown
  }

  private enum Waiting {
    case over(Loaded), load(place: Int, EventBatch), wait
  }

  private let load: (Int, EventBatch) -> Result<Bool, TraceFileError>
  private let order: [Int]
  private let state = Mutex(State())
  private let isLoaded = DispatchSemaphore(value: 0)
  private let queue = DispatchQueue(label: "Varve read-ahead")

  /// The number of blocks that are loaded ahead.
  private let most: Int
  /// The greatest number of blocks open at once for which it pays: where there are more, blocks are held
  /// in parts, and read again.
  static let mostOpen = 16
  /// The smallest number of blocks for which another thread is worth its start.
  private static var fewestBlocks: Int { 8 }

  /// Prepares to load blocks; nil if there are few, or only one processor.
  ///
  /// - Parameters:
  ///   - order: the blocks, in the order in which they will be asked for.
  ///   - most: the number of blocks that are loaded ahead: each takes memory.
  ///   - load: decodes a block into a batch, and returns whether an event in it matches. It is called
  ///     on several threads.
  init?(
    _ order: [Int], most: Int = 2,
    _ load: @escaping (Int, EventBatch) -> Result<Bool, TraceFileError>
  ) {
    guard order.count >= Self.fewestBlocks, sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 else {
      return nil
    }
    self.order = order
    self.most = most
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
      let place = state.asked
      state.asked += 1
      if let loaded = state.loaded.removeValue(forKey: place) {
        state.spare.append(batch)
        return .loaded(loaded)
      }
      if state.begun < state.asked {
        state.begun = state.asked
        return .notBegun
      }
      return .beingLoaded(place: place)
    }
    switch answer {
    case .loaded(let loaded):
      goOn()
      return loaded
    case .notBegun:
      goOn()
      return nil
    case .beingLoaded(let place): return wait(for: place, batch)
    case .unknown: return nil
    }
  }

  /// Waits for a block that the other thread loads, and loads those after it meanwhile.
  private func wait(for place: Int, _ batch: EventBatch) -> Loaded {
    while true {
      let waiting: Waiting = state.withLock { state in
        if let loaded = state.loaded.removeValue(forKey: place) {
          state.spare.append(batch)
          return .over(loaded)
        }
        if let (place, batch) = begin(&state) { return .load(place: place, batch) }
        state.isAwaited = true
        return .wait
      }
      switch waiting {
      case .over(let loaded):
        goOn()
        return loaded
      case .load(let next, let batch):
        let loaded = Loaded(batch: batch, result: load(order[next], batch))
        state.withLock { $0.loaded[next] = loaded }
      case .wait: isLoaded.wait()
      }
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
    while let (place, batch) = beginOrRest() {
      let result = load(order[place], batch)
      let isAwaited = state.withLock { state in
        state.loaded[place] = Loaded(batch: batch, result: result)
        defer { state.isAwaited = false }
        return state.isAwaited
      }
      if isAwaited { isLoaded.signal() }
    }
  }

  private func beginOrRest() -> (place: Int, EventBatch)? {
    state.withLock { state in
      let begun = begin(&state)
      if begun == nil { state.isWorking = false }
      return begun
    }
  }

  /// Begins the next block, unless enough of them are loaded ahead.
  private func begin(_ state: inout State) -> (place: Int, EventBatch)? {
    guard state.begun < order.count, state.begun - state.asked < most else { return nil }
    state.begun += 1
    return (state.begun - 1, state.spare.popLast() ?? EventBatch())
  }
}
