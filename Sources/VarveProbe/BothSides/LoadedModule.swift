internal import CVarveSystem

/// An executable or a library that is currently loaded into the process.
package struct LoadedModule: Sendable, Hashable {
  /// The file's path, as the dynamic linker reports it.
  package var path: String
  /// The `NT_GNU_BUILD_ID` note; empty if the file has none.
  package var buildID: [UInt8]
  /// The difference between addresses in memory and the file's own.
  package var bias: UInt64
  /// The address of the module's lowest loaded page.
  package var base: UInt64
  /// The addresses of its code.
  package var addresses: Range<UInt64>

  /// A number that changes whenever a module is loaded or unloaded.
  package static var generation: UInt64 { vv_modules_generation() }

  /// Returns all loaded modules.
  ///
  /// The dynamic linker lists them under a lock of its own, under which programs run code of
  /// theirs: call this only while none of our locks is held.
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
