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
  /// For as long as the process lives: who looked for news before a recording began may keep them in
  /// it, and they must not pass for others.
  private var ids: [Place: UInt32] = [:]
  /// Those whose definitions are kept.
  private var kept: Set<UInt32> = []
  /// How often it was forgotten which are kept: what was about to be known before is not known.
  private(set) var epoch: UInt64 = 0

  /// Whether modules were loaded or unloaded since they were last looked at.
  func isOutdated(_ generation: UInt64) -> Bool { self.generation != generation }

  /// The modules among those that are loaded whose definitions are not kept yet.
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

  /// These definitions, which were news in an epoch, are kept now: nothing that was loaded up to
  /// `generation` is news any more.
  mutating func know(_ modules: [ModuleDefinition], generation: UInt64, epoch: UInt64) {
    guard epoch == self.epoch else { return }
    self.generation = generation
    kept.formUnion(modules.map(\.id))
  }

  /// Some of the definitions were left out, or another recording begins: all are news again.
  mutating func forgetKept() {
    generation = 0
    kept = []
    epoch += 1
  }
}

extension DefinitionStore {
  /// Keeps a stack, and the modules that its addresses may lie in.
  func define(stack id: UInt32) {
    keep(stack: id)
  }

  /// Puts a stack, and before it modules that are news, into the log of the recording that runs.
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
    // Not known before it is kept: another thread's stack must not come before its module. Two threads
    // may keep it, as the same.
    let (news, epoch) = modules.withLock { ($0.news(loaded), $0.epoch) }
    for module in news { keep(.module(module)) }
    modules.withLock { $0.know(news, generation: generation, epoch: epoch) }
  }
}
