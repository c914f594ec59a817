internal import CVarveSystem
internal import VarveFormat
internal import VarveProbe

/// The modules that a recording knows.
struct KnownModules {
  private struct Place: Hashable {
    var path: String
    var bias: UInt64
  }

  private var generation: UInt64 = 0
  /// The IDs of modules, kept for the life of the process: a thread that looked for new modules
  /// before a recording began may keep their definitions in it, and the IDs must not refer to
  /// others there.
  private var ids: [Place: UInt32] = [:]
  /// The modules whose definitions are kept.
  private var kept: Set<UInt32> = []
  /// The number of times that `kept` was cleared, which invalidates updates begun before.
  private(set) var epoch: UInt64 = 0

  /// Returns whether modules have been loaded or unloaded since they were last examined.
  func isOutdated(_ generation: UInt64) -> Bool { self.generation != generation }

  /// Returns the loaded modules whose definitions are not kept yet.
  mutating func news(_ loaded: [LoadedModule]) -> [ModuleDefinition] {
    loaded.compactMap { module in
      let place = Place(path: module.path, bias: module.bias)
      let id = ids[place] ?? UInt32(ids.count + 1)
      ids[place] = id
      guard !kept.contains(id) else { return nil }
      return ModuleDefinition(
        id: id, path: module.path, buildID: module.buildID, bias: module.bias,
        addresses: module.addresses)
    }
  }

  /// Notes that definitions found new in an epoch are kept now, and that no module loaded up to
  /// `generation` is new any more.
  mutating func know(_ modules: [ModuleDefinition], generation: UInt64, epoch: UInt64) {
    guard epoch == self.epoch else { return }
    self.generation = generation
    kept.formUnion(modules.map(\.id))
  }

  /// Forgets which definitions are kept, because some were left out or another recording begins.
  mutating func forgetKept() {
    generation = 0
    kept = []
    epoch += 1
  }
}

extension DefinitionStore {
  /// Keeps a stack, and the modules that its addresses may belong to.
  func define(stack id: UInt32) {
    keep(stack: id)
  }

  /// Writes a stack, preceded by new modules, to the log of the running recording.
  func keep(stack id: UInt32) {
    guard let kept = vv_stack_find(id) else { return }
    keepModules()
    let frames = withUnsafeBytes(of: kept.pointee.addresses) { bytes in
      bytes.bindMemory(to: UInt.self).prefix(Int(kept.pointee.count))
        .map { StackFrame(word: UInt64($0)) }
    }
    keep(.stack(StackDefinition(id: id, frames: frames)))
  }

  private func keepModules() {
    let generation = LoadedModule.generation
    guard modules.withLock({ $0.isOutdated(generation) }) else { return }
    let loaded = LoadedModule.all()
    // Noted only after it is kept, so that no other thread's stack precedes its module. Two threads
    // may keep the same module, under the same ID.
    let (news, epoch) = modules.withLock { ($0.news(loaded), $0.epoch) }
    for module in news { keep(.module(module)) }
    modules.withLock { $0.know(news, generation: generation, epoch: epoch) }
  }
}
