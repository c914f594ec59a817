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
  private var ids: [Place: UInt32] = [:]

  /// Whether modules were loaded or unloaded since they were last looked at.
  func isOutdated(_ generation: UInt64) -> Bool { self.generation != generation }

  /// The modules among those that are loaded which the recording does not know yet.
  mutating func news(_ loaded: [LoadedModule], generation: UInt64) -> [ModuleDefinition] {
    self.generation = generation
    return loaded.compactMap { module in
      let place = Place(path: module.path, bias: module.bias)
      guard ids[place] == nil else { return nil }
      let id = UInt32(ids.count + 1)
      ids[place] = id
      return ModuleDefinition(
        id: id, path: module.path, buildID: module.buildID, bias: module.bias,
        addresses: module.addresses)
    }
  }
}

extension Definitions {
  /// Keeps a stack, and the modules that its addresses may lie in.
  func define(stack id: UInt32) {
    LateStart.beginIfExpected()
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
    for module in modules.withLock({ $0.news(loaded, generation: generation) }) {
      keep(.module(module))
    }
  }
}
