/// Tells the program's own functions from this library, from what runs work for it and from the
/// language's runtime, so that backtraces show what somebody wrote and fold the rest.
package enum FunctionKind {
  /// Modules that run others' work, or are the language itself.
  private static let images = [
    "libdispatch.so", "libswiftDispatch.so", "libswift_Concurrency.so", "libswiftCore.so",
    "libc.so",
    "libVarveHops.so", "libpthread.so", "ld-linux", "libBlocksRuntime.so",
  ]
  /// This library's modules, and the folders that their sources lie in.
  private static let modules = [
    "VarveReactive", "CVarveSystem", "VarveHops", "VarveRecorder", "VarveProbe",
  ]
  private static let folders = modules.map { "Sources/\($0)/" }

  /// The language's own modules.
  private static let languages = ["Swift", "_Concurrency"]

  /// What the compiler made: it stands between functions that somebody wrote.
  private static let thunks = [
    "thunk for ", "reabstraction thunk ", "protocol witness for ", "outlined ",
  ]
  /// Where programs end that break a rule of the language, as they are called when they are linked
  /// into the program itself.
  private static let stops = [
    "_assertionFailure(", "_fatalErrorMessage(", "_preconditionFailure(", "swift_", "_swift_",
  ]

  /// Whether a module of the process holds nothing that somebody wrote who uses the library.
  package static func isOfMachinery(image: String) -> Bool {
    let name = image.split(separator: "/").last.map(String.init) ?? image
    return images.contains { name.hasPrefix($0) }
  }

  /// Whether a function is one of this library, or the compiler's, or the runtime's. The file tells,
  /// where it is known; else the module of the function itself does.
  ///
  /// - Parameter name: what the demangler writes; what is left of that must still name this library's
  ///   modules.
  package static func isMachinery(_ name: String, file: String?) -> Bool {
    if thunks.contains(where: { name.hasPrefix($0) }) { return true }
    if let file {
      return file.hasPrefix("<compiler")
        || folders.contains { file.hasPrefix($0) || file.contains("/\($0)") }
    }
    return isOfLibrary(name) || isOfLanguage(name)
  }

  /// Whether a function is of this library, by its name.
  package static func isOfLibrary(_ name: String) -> Bool {
    FunctionModule.name(of: name).map(modules.contains) ?? false || name.hasPrefix("vv_")
      || name.hasPrefix("varve_hop_")
  }

  /// Whether a function is of the standard library, which is compiled into whoever calls it, or of the
  /// runtime. Closures in such a function (`closure #1 in _assertionFailure(…)`) are its own.
  private static func isOfLanguage(_ name: String) -> Bool {
    if let module = FunctionModule.name(of: name) { return languages.contains(module) }
    var function = Substring(name)
    while function.hasPrefix("closure #") {
      let rest = function.dropFirst("closure #".count).drop { $0.isNumber }
      guard rest.hasPrefix(" in ") else { return false }
      function = rest.dropFirst(" in ".count)
    }
    return stops.contains { function.hasPrefix($0) }
  }

  /// The name without the compiler's wrapping.
  package static func plain(_ name: String) -> String {
    var name = Substring(name)
    for wrapping in ["partial apply forwarder for ", "partial apply for ", "merged "] {
      if name.hasPrefix(wrapping) { name = name.dropFirst(wrapping.count) }
    }
    return String(name)
  }
}
