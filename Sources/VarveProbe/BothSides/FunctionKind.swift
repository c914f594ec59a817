/// Tells the program's own functions from those of this library, of executors that run work on its
/// behalf, and of the language runtime, so that backtraces show user code and fold the rest.
package enum FunctionKind {
  /// Modules that run work on behalf of others, or are the language itself.
  private static let images = [
    "libdispatch.so", "libswift", "libFoundation", "lib_Foundation", "libBlocksRuntime.so",
    "libc.so", "libm.so", "libpthread.so", "libstdc++", "libgcc_s", "ld-linux", "linux-vdso",
    "libVarveHops.so", "libVarveTasks.so", "libVarveGuestRecorder.so",
  ]
  /// This library's modules, and the folders that hold their sources.
  private static let modules = [
    "VarveReactive", "CVarveSystem", "VarveHops", "VarveRecorder", "VarveProbe",
    "VarveTracing", "VarveTasks",
  ]
  private static let folders = modules.map { "Sources/\($0)/" }

  /// The language's own modules.
  private static let languages = ["Swift", "_Concurrency"]

  /// Functions that the compiler generates between those of the user.
  private static let thunks = [
    "thunk for ", "reabstraction thunk ", "protocol witness for ", "outlined ",
  ]
  /// Functions in which programs stop when they break a rule of the language, as they are named
  /// when linked into the program itself.
  private static let stops = [
    "_assertionFailure(", "_fatalErrorMessage(", "_preconditionFailure(", "swift_", "_swift_",
  ]
  /// Functions of the language that make tasks or wait, as they are named when they are compiled into
  /// their callers.
  private static let wrappers = [
    "Task.init(", "static Task.", "Task<", "TaskGroup.", "ThrowingTaskGroup.",
    "DiscardingTaskGroup.", "ThrowingDiscardingTaskGroup.", "Clock.sleep(",
    "withCheckedContinuation(", "withCheckedThrowingContinuation(",
    "withUnsafeContinuation(", "withUnsafeThrowingContinuation(",
  ]

  /// Returns whether a loaded module holds no code of the library's users.
  package static func isOfMachinery(image: String) -> Bool {
    let name = image.split(separator: "/").last.map(String.init) ?? image
    return images.contains { name.hasPrefix($0) }
  }

  /// Returns whether a function belongs to this library, the compiler, or the runtime. The file
  /// decides where it is known, otherwise the function's module.
  ///
  /// - Parameter name: The demangled name; a shortened form must still name this library's modules.
  ///   modules.
  package static func isMachinery(_ name: String, file: String?) -> Bool {
    if thunks.contains(where: { name.hasPrefix($0) }) { return true }
    if let file {
      return file.hasPrefix("<compiler")
        || folders.contains { file.hasPrefix($0) || file.contains("/\($0)") }
    }
    return isOfLibrary(name) || isOfLanguage(name)
  }

  /// Returns whether a function of the language makes a continuation and waits for it.
  package static func waitsForContinuation(_ name: String) -> Bool {
    name.hasPrefix("with") && name.contains("Continuation(")
  }

  /// Returns whether a source file belongs to a package that the program depends on: package managers
  /// keep those in a folder of checkouts.
  package static func isOfDependency(file: String) -> Bool { file.contains("/checkouts/") }

  /// Returns whether a function belongs to this library, judging by its name.
  package static func isOfLibrary(_ name: String) -> Bool {
    FunctionModule.name(of: name).map(modules.contains) ?? false || name.hasPrefix("vv_")
      || name.hasPrefix("varve_hop_")
  }

  /// Returns whether a function belongs to the runtime or to the standard library, which is
  /// compiled into its callers. Closures in such a function (`closure #1 in _assertionFailure(…)`)
  /// belong to it.
  private static func isOfLanguage(_ name: String) -> Bool {
    var function = Substring(name)
    while function.hasPrefix("closure #") {
      let rest = function.dropFirst("closure #".count).drop { $0.isNumber }
      guard rest.hasPrefix(" in ") else { break }
      function = rest.dropFirst(" in ".count)
    }
    // What the debugger's form calls `Task.init(…)` is no function of a module `Task`.
    if wrappers.contains(where: { function.hasPrefix($0) }) { return true }
    if let module = FunctionModule.name(of: name) { return languages.contains(module) }
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
