#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Where a trace goes, as a user says it.
enum TracePath {
  /// The path with `%p` replaced by the process id.
  static func resolve(_ template: String) -> String {
    var path = ""
    var rest = Substring(absolute(template))
    while let mark = rest.firstIndex(of: "%") {
      let after = rest.index(after: mark)
      path += rest[..<mark]
      if after < rest.endIndex, rest[after] == "p" {
        path += String(getpid())
        rest = rest[rest.index(after: after)...]
      } else {
        path += "%"
        rest = rest[after...]
      }
    }
    return path + rest
  }

  /// The path from the root, so that a program that changes its folder does not lose its trace.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
