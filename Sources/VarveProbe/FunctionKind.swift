/// Tells the program's own functions from this library and from what runs work for it, so that
/// backtraces show what somebody wrote and fold the rest.
package enum FunctionKind {
  private static let runners = [
    "libdispatch.so", "libswiftDispatch.so", "libswift_Concurrency.so", "libc.so",
    "libVarveHops.so",
    "libpthread.so", "ld-linux", "libBlocksRuntime.so",
  ]
  private static let folders = [
    "/VarveReactive/", "/CVarveSystem/", "/VarveHops/", "/VarveRecorder/", "/VarveProbe/",
  ]

  /// Whether a module does nothing but run others' work.
  package static func isOfMachinery(image: String) -> Bool {
    let name = image.split(separator: "/").last.map(String.init) ?? image
    return runners.contains { name.hasPrefix($0) }
  }

  /// Whether a mangled name is of this library.
  package static func isOfLibrary(mangled: String) -> Bool {
    mangled.hasPrefix("$s13VarveReactive") || mangled.hasPrefix("vv_")
      || mangled.hasPrefix("varve_hop_")
  }

  /// Whether a function is of this library, or was made by the compiler. The file tells, where it is
  /// known; else the name does.
  package static func isMachinery(_ name: String, file: String?) -> Bool {
    if name.hasPrefix("thunk for ") || name.hasPrefix("reabstraction thunk ") { return true }
    if let file { return folders.contains { file.contains($0) } || file.hasPrefix("<compiler") }
    return name.contains("VarveReactive.") || name.hasPrefix("vv_") || name.hasPrefix("varve_hop_")
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
