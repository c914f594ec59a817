internal import VarvePlatform

/// The library that stands in front of Dispatch in the programs that it is preloaded into.
enum HopsLibrary {
  private static let name = "libVarveHops.so"

  /// What `LD_PRELOAD` has to say: the library, and what it said before.
  static func preloading() throws(CommandEnd) -> String {
    #if os(Linux)
      guard let path = places.first(where: FileSystem.exists) else {
        throw CommandEnd(.wrongUsage, "--hops needs \(name); \(howToGetIt)")
      }
      let before = getenv("LD_PRELOAD").map { String(cString: $0) } ?? ""
      return before.isEmpty ? path : "\(path):\(before)"
    #else
      throw CommandEnd(.wrongUsage, "--hops works on Linux alone")
    #endif
  }

  /// Where it may lie: as it was built, or as it was installed.
  private static var places: [String] {
    folder.map { ["\($0)/\(name)", "\($0)/../lib/\(name)", "\($0)/../lib/varve/\(name)"] } ?? []
  }

  /// The package manager builds a product alone when it is asked for one, and the command cannot be
  /// linked with the library: it would stand in front of the command's own Dispatch.
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

  /// Where the command lies.
  private static var folder: String? {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return nil }
    let command = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return command.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
  }
}
