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
  mutating func news(_ loaded: [ModuleDefinition], generation: UInt64) -> [ModuleDefinition] {
    self.generation = generation
    return loaded.compactMap { module in
      let place = Place(path: module.path, bias: module.bias)
      guard ids[place] == nil else { return nil }
      var module = module
      module.id = UInt32(ids.count + 1)
      ids[place] = module.id
      return module
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

  /// The dynamic linker has a lock of its own, under which programs run code of theirs: it is asked
  /// while none of ours is held.
  private func keepModules() {
    let generation = vv_modules_generation()
    guard modules.withLock({ $0.isOutdated(generation) }) else { return }
    let loaded = ModuleDefinition.loaded()
    for module in modules.withLock({ $0.news(loaded, generation: generation) }) {
      keep(.module(module))
    }
  }
}

extension ModuleDefinition {
  /// What is loaded now, without ids.
  fileprivate static func loaded() -> [ModuleDefinition] {
    var modules: [ModuleDefinition] = []
    withUnsafeMutablePointer(to: &modules) { modules in
      vv_modules_visit(
        { module, context in
          guard let module, let context else { return }
          context.assumingMemoryBound(to: [ModuleDefinition].self).pointee
            .append(ModuleDefinition(module.pointee))
        }, modules)
    }
    return modules
  }

  private init(_ module: vv_module) {
    let buildID = withUnsafeBytes(of: module.build_id) {
      Array($0.prefix(Int(module.build_id_bytes)))
    }
    self.init(
      id: 0, path: String(cString: module.path), buildID: buildID, bias: UInt64(module.bias),
      addresses: UInt64(module.start)..<UInt64(module.end))
  }
}
