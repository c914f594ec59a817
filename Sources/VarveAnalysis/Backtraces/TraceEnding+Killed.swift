public import VarveFormat

extension TraceEnding {
  /// Signals that others send to end a program: SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM. Their
  /// numbers are the same everywhere.
  private static let requests: Set<Int32> = [1, 2, 3, 9, 15]

  /// Whether the program was ended from outside. It may have hung.
  public var isKill: Bool {
    switch self {
    case .killed: true
    case .crashed(let signal, _, nil): Self.requests.contains(signal)
    case .crashed, .clean, .running: false
    }
  }

  /// Whether the program ended by a fault of its own.
  public var isCrash: Bool {
    if case .crashed = self { return !isKill }
    return false
  }

  /// How the program ended, in a word: `clean`, `crashed`, `killed`, or `running`.
  public var word: String {
    switch self {
    case .clean: "clean"
    case .crashed: isKill ? "killed" : "crashed"
    case .killed: "killed"
    case .running: "running"
    }
  }
}
