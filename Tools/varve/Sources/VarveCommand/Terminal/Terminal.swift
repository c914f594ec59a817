internal import VarvePlatform

/// What is at the other end of standard output.
enum Terminal {
  /// Whether it is a terminal.
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// How many columns it has; nil when there is none.
  static var width: Int? {
    guard isThere else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// How many rows it has; nil when there is none.
  static var height: Int? {
    var size = winsize()
    guard isThere, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else {
      return nil
    }
    return Int(size.ws_row)
  }

  /// Whether colours are wanted, when nobody said so on the command line.
  static var wantsColours: Bool {
    if let no = Environment["NO_COLOR"], !no.isEmpty { return false }
    if let force = Environment["FORCE_COLOR"], !force.isEmpty { return force != "0" }
    return isThere && Environment["TERM"] != "dumb"
  }

  /// Whether the locale has nothing but ASCII.
  static var isASCII: Bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment[$0] }
    guard let locale = set.first(where: { !$0.isEmpty })?.lowercased() else { return true }
    return !(locale.contains("utf-8") || locale.contains("utf8"))
  }
}

/// The environment's variables.
enum Environment {
  static subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// What is in the file system.
enum FileSystem {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Why no file can be made at a path, in the system's words; nil when nothing speaks against it.
  static func obstacle(toMaking path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, W_OK | X_OK) != 0 else { return nil }
    return String(cString: strerror(errno))
  }

  /// A path that means the same wherever a program is.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
