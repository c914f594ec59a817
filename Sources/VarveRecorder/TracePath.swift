internal import VarveFormat
internal import VarvePlatform

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

  /// `run-2.varve` for `run.varve`, or with the next higher number that no file has. A `%p` stays in
  /// the name.
  static func unused(_ path: String, _ label: String = "", from number: Int) -> String {
    let suffix = path.hasSuffix(".varve") ? ".varve" : ""
    let stem = path.dropLast(suffix.count)
    var number = number
    while true {
      let name = "\(stem)-\(label)\(number)\(suffix)"
      if isFree(resolve(name)) { return name }
      number += 1
    }
  }

  /// Whether neither a trace lies there nor what an unfinished recording has left.
  static func isFree(_ path: String) -> Bool {
    access(path, F_OK) != 0 && access(Sidecar.path(ofTraceAt: path), F_OK) != 0
  }

  /// Whether a path says that each process is to have a file of its own.
  static func isOfOneProcess(_ template: String) -> Bool { template.contains("%p") }

  /// The path from the root, so that a program that changes its folder does not lose its trace.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
