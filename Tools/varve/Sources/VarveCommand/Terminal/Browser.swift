internal import VarvePlatform

/// Opens pages in the desktop's browser.
enum Browser {
  #if canImport(Darwin)
    private static let opener = "open"
    static let isThere = true
  #else
    private static let opener = "xdg-open"
    static var isThere: Bool {
      ["DISPLAY", "WAYLAND_DISPLAY"].contains { Environment[$0]?.isEmpty == false }
    }
  #endif

  /// Opens a file without waiting for the browser; does nothing where there is no desktop.
  ///
  /// - Parameters:
  ///   - path: the file's path, from the root on.
  ///   - fragment: the end of the page's address, which the page reads.
  static func open(_ path: String, at fragment: String? = nil) {
    guard isThere else { return }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The opener must not mix its output with that of the command, nor take what is typed.
    for (descriptor, mode) in [
      (STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY),
    ] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", mode, 0)
    }
    // Control-C ends the command, and not a browser that it has started; which other signals end, as
    // they would not if it kept the command's mask.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))
    let words = [opener, fragment.map { address(path, $0) } ?? path]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    _ = posix_spawnp(&child, opener, &actions, &attributes, &arguments, environ)
  }

  /// Returns the address of a file, with a fragment.
  private static func address(_ path: String, _ fragment: String) -> String {
    "file://" + escaped(path) + "#"
      + (fragment.hasPrefix("#") ? fragment.dropFirst() : fragment[...])
  }

  /// Returns a text as a part of an address.
  static func escaped(_ text: String) -> String {
    let plain = "-._~/".utf8
    return text.utf8.map { byte in
      let isPlain =
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || plain.contains(byte)
      return isPlain
        ? String(UnicodeScalar(byte)) : "%" + String(UInt16(byte) | 256, radix: 16).dropFirst()
    }.joined()
  }
}
