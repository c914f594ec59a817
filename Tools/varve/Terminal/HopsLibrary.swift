#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The library that stands in front of Dispatch in the programs that it is preloaded into.
enum HopsLibrary {
  private static let name = "libVarveHops.so"

  /// What `LD_PRELOAD` has to say: the library, and what it said before.
  static func preloading() throws(CommandEnd) -> String {
    #if os(Linux)
      guard let path = places.first(where: FileSystem.exists) else {
        throw CommandEnd(
          .wrongUsage,
          "--hops needs \(name) beside varve or in ../lib; build it: swift build --product VarveHops"
        )
      }
      let before = getenv("LD_PRELOAD").map { String(cString: $0) } ?? ""
      return before.isEmpty ? path : "\(path):\(before)"
    #else
      throw CommandEnd(.wrongUsage, "--hops works on Linux alone")
    #endif
  }

  /// Where it may lie: as it was built, or as it was installed.
  private static var places: [String] {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    guard count > 0 else { return [] }
    let command = String(decoding: path.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = command.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    return ["\(folder)/\(name)", "\(folder)/../lib/\(name)", "\(folder)/../lib/varve/\(name)"]
  }
}
