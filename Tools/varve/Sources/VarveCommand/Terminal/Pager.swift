internal import VarveExport
internal import VarvePlatform

/// Shows results through a pager if they are longer than the screen.
///
/// The pager is `VARVE_PAGER`, `PAGER`, or `less -FIRSX`; there is none if the variable is empty or
/// `cat`. Output is held back until it exceeds a screen, so that short output needs no pager. Only
/// the lines of short output are cut at the edge of the screen: a pager is moved to the side.
final class Pager {
  private static let usual = "less -FIRSX"

  private let command: String
  private let style: OutputStyle
  private let rows: Int
  private var waiting: [UInt8] = []
  private var lines = 0
  private var child: pid_t = 0
  private var descriptor = STDOUT_FILENO
  private var isDecided = false

  /// - Returns: nil if standard output is not a terminal, or the user wants no pager.
  init?(isWanted: Bool, cutting style: OutputStyle) {
    guard isWanted, Terminal.isThere, isatty(STDIN_FILENO) == 1, let rows = Terminal.height else {
      return nil
    }
    let named = Environment["VARVE_PAGER"] ?? Environment["PAGER"] ?? Configuration["pager"]
    command = named ?? Self.usual
    guard !command.isEmpty, command != "cat", Environment["TERM"] != "dumb" else { return nil }
    self.rows = rows
    self.style = style
  }

  /// Takes output; returns the system's error number on failure.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int32? {
    guard !isDecided else { return Descriptor.write(bytes, to: descriptor) }
    waiting += bytes
    lines += bytes.count { $0 == 0x0a }
    guard lines >= rows else { return nil }
    return decide(start())
  }

  /// Writes the output that was held back, and waits for the pager to end.
  func finish() {
    if !isDecided {
      cutLines()
      _ = decide(STDOUT_FILENO)
    }
    guard child > 0 else { return }
    close(descriptor)
    // Control-C belongs to the pager while it has the terminal.
    signal(SIGINT, SIG_IGN)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    child = 0
  }

  private func cutLines() {
    let lines = waiting.split(separator: 0x0a, omittingEmptySubsequences: false).map {
      Array(style.fitted(String(decoding: $0, as: UTF8.self)).utf8)
    }
    waiting = Array(lines.joined(separator: [0x0a]))
  }

  private func decide(_ descriptor: Int32) -> Int32? {
    isDecided = true
    self.descriptor = descriptor
    defer { waiting = [] }
    return Descriptor.write(waiting, to: descriptor)
  }

  /// Starts the pager; returns the descriptor that feeds it, or standard output on failure.
  private func start() -> Int32 {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return STDOUT_FILENO }
    // A write end inherited by the pager would keep it from seeing the end of its input.
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    // For a pager that is called "less" and nothing else.
    if Environment["LESS"] == nil { setenv("LESS", "FIRSX", 1) }
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
