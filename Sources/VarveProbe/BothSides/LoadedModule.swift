internal import CVarveSystem

/// An executable or a library that is in the process now.
package struct LoadedModule: Sendable, Hashable {
  /// The file, as the dynamic linker names it.
  package var path: String
  /// Its `NT_GNU_BUILD_ID` note; empty when it has none.
  package var buildID: [UInt8]
  /// What memory addresses are more than the file's own.
  package var bias: UInt64
  /// Where the lowest page lies that is loaded of it.
  package var base: UInt64
  /// The addresses that its code takes.
  package var addresses: Range<UInt64>

  /// A number that changes whenever a module is loaded or unloaded.
  package static var generation: UInt64 { vv_modules_generation() }

  /// All there are.
  ///
  /// The dynamic linker tells them under a lock of its own, under which programs run code of
  /// theirs: it is to be asked while none of ours is held.
  package static func all() -> [LoadedModule] {
    var modules: [LoadedModule] = []
    withUnsafeMutablePointer(to: &modules) { modules in
      vv_modules_visit(
        { module, context in
          guard let module, let context else { return }
          context.assumingMemoryBound(to: [LoadedModule].self).pointee
            .append(LoadedModule(module.pointee))
        }, modules)
    }
    return modules
  }

  private init(_ module: vv_module) {
    path = String(cString: module.path)
    buildID = withUnsafeBytes(of: module.build_id) {
      Array($0.prefix(Int(module.build_id_bytes)))
    }
    bias = UInt64(module.bias)
    base = UInt64(module.base)
    addresses = UInt64(module.start)..<UInt64(module.end)
  }
}
