internal import VarvePlatform

/// The terminal of standard output, if there is one.
enum Terminal {
  /// Whether standard output is a terminal.
  static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The number of columns; nil if there is no terminal.
  static var width: Int? { width(of: STDOUT_FILENO) }

  /// The number of columns of what a descriptor writes to; nil if it is no terminal.
  static func width(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The number of rows; nil if there is no terminal or its size is unknown.
  static var height: Int? {
    var size = winsize()
    guard isThere, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else {
      return nil
    }
    return Int(size.ws_row)
  }

  /// Whether the environment says when to use colors.
  static var saysColours: Bool {
    ["NO_COLOR", "FORCE_COLOR"].contains { Environment[$0].map { !$0.isEmpty } ?? false }
  }

  /// Whether to use colors if the command line does not say.
  static var wantsColours: Bool {
    if let no = Environment["NO_COLOR"], !no.isEmpty { return false }
    if let force = Environment["FORCE_COLOR"], !force.isEmpty { return force != "0" }
    return isThere && Environment["TERM"] != "dumb"
  }

  /// Whether the locale is limited to ASCII.
  static var isASCII: Bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { Environment[$0] }
    guard let locale = set.first(where: { !$0.isEmpty })?.lowercased() else { return true }
    return !(locale.contains("utf-8") || locale.contains("utf8"))
  }
}

/// The environment variables.
enum Environment {
  static subscript(name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// Queries about the file system.
enum FileSystem {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Returns the paths that begin with a text, as a shell would complete it.
  static func paths(from prefix: String) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    guard let open = opendir(folder.isEmpty ? "." : folder) else { return [] }
    defer { closedir(open) }
    var paths: [String] = []
    while let entry = readdir(open) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      let path = folder + name
      if path.hasPrefix(prefix), !name.hasPrefix(".") { paths.append(path) }
    }
    return paths.sorted()
  }

  /// Returns why no file can be created at a path, in the system's words; nil if it can.
  static func obstacle(toMaking path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, W_OK | X_OK) != 0 else { return nil }
    return String(cString: strerror(errno))
  }

  /// Returns a path that does not depend on the current folder.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
