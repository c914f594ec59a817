internal import VarvePlatform

/// The library that interposes Dispatch in the programs into which it is preloaded.
enum HopsLibrary {
  private static let name = "libVarveHops.so"

  /// Returns the value for `LD_PRELOAD`: the library, and the value before.
  static func preloading() throws(CommandEnd) -> String {
    #if os(Linux)
      guard let path = places.first(where: FileSystem.exists) else {
        throw CommandEnd(.wrongUsage, "--hops needs \(name); \(howToGetIt)")
      }
      let before = getenv("LD_PRELOAD").map { String(cString: $0) } ?? ""
      return before.isEmpty ? path : "\(path):\(before)"
    #else
      throw CommandEnd(.wrongUsage, "--hops works only on Linux")
    #endif
  }

  /// The possible places of the library, as built or as installed.
  private static var places: [String] {
    folder.map { ["\($0)/\(name)", "\($0)/../lib/\(name)", "\($0)/../lib/varve/\(name)"] } ?? []
  }

  /// Explains how to build the library. The package manager builds it only on request, and the
  /// command cannot link it, because it would interpose the command's own Dispatch.
  private static var howToGetIt: String {
    let folder = folder ?? ""
    let parts = folder.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let build = parts.lastIndex(of: ".build"), build < parts.count - 1 else {
      return """
        it belongs beside varve or in ../lib. Build it where varve was built, by \
        `swift build -c release --product VarveHops`, and copy it to \(folder)
        """
    }
    let package = parts[..<build].joined(separator: "/")
    return """
      build it: swift build -c \(parts[parts.count - 1]) --package-path "\(package)" \
      --product VarveHops
      """
  }

  /// The folder of the command.
  private static var folder: String? {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return nil }
    let command = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return command.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
  }
}
