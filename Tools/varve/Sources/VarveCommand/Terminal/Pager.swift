internal import VarvePlatform

/// Shows results through a pager when they are more than the terminal's screen.
///
/// `VARVE_PAGER`, `PAGER`, else `less -FIRX`; none when the variable is empty or `cat`. What is
/// written first waits until it is more than a screen: what fits never sees a pager.
final class Pager {
  private static let usual = "less -FIRX"

  private let command: String
  private let rows: Int
  private var waiting: [UInt8] = []
  private var lines = 0
  private var child: pid_t = 0
  private var descriptor = STDOUT_FILENO
  private var isDecided = false

  /// - Returns: nil when output does not go to a terminal, or nobody wants a pager.
  init?(isWanted: Bool) {
    guard isWanted, Terminal.isThere, isatty(STDIN_FILENO) == 1, let rows = Terminal.height else {
      return nil
    }
    let named = Environment["VARVE_PAGER"] ?? Environment["PAGER"]
    command = named ?? Self.usual
    guard !command.isEmpty, command != "cat", Environment["TERM"] != "dumb" else { return nil }
    self.rows = rows
  }

  /// Takes output; returns the system's error number when it goes nowhere.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int32? {
    guard !isDecided else { return Descriptor.write(bytes, to: descriptor) }
    waiting += bytes
    lines += bytes.count { $0 == 0x0a }
    guard lines >= rows else { return nil }
    return decide(start())
  }

  /// Writes what has waited, and waits until whoever reads has seen enough.
  func finish() {
    if !isDecided { _ = decide(STDOUT_FILENO) }
    guard child > 0 else { return }
    close(descriptor)
    // The pager has the terminal: Control-C is its own.
    signal(SIGINT, SIG_IGN)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    child = 0
  }

  private func decide(_ descriptor: Int32) -> Int32? {
    isDecided = true
    self.descriptor = descriptor
    defer { waiting = [] }
    return Descriptor.write(waiting, to: descriptor)
  }

  /// Starts the pager; gives where it reads from, or standard output when it cannot be started.
  private func start() -> Int32 {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return STDOUT_FILENO }
    // What the child would inherit keeps the pager from seeing the end.
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    if Environment["LESSCHARSET"] == nil { setenv("LESSCHARSET", "utf-8", 1) }
    let words: [String] = ["/bin/sh", "-c", command]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let failure = posix_spawn(&child, "/bin/sh", &actions, nil, &arguments, environ)
    close(ends[0])
    guard failure == 0 else {
      close(ends[1])
      child = 0
      return STDOUT_FILENO
    }
    signal(SIGPIPE, SIG_IGN)
    return ends[1]
  }
}
