internal import VarvePlatform

/// Opens pages in the desktop's browser.
enum Browser {
  #if canImport(Darwin)
    private static let opener = "open"
    private static let hasDesktop = true
  #else
    private static let opener = "xdg-open"
    private static var hasDesktop: Bool {
      ["DISPLAY", "WAYLAND_DISPLAY"].contains { Environment[$0]?.isEmpty == false }
    }
  #endif

  /// Opens a file without waiting for the browser; does nothing where there is no desktop.
  static func open(_ path: String) {
    guard hasDesktop else { return }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The opener's own output must not mix with that of the command.
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    let words: [String] = [opener, path]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    _ = posix_spawnp(&child, opener, &actions, nil, &arguments, environ)
  }
}
