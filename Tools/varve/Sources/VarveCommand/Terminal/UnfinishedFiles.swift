internal import VarvePlatform

/// Files that must not outlive the command, however it ends: drafts, and copies of traces in the
/// folder for temporary files. They hold what was recorded.
///
/// A table of fixed size, so that a handler of signals can go through it.
enum UnfinishedFiles {
  private static let most = 64
  // Safety: the command has one thread; a handler that interrupts it sees a path or none.
  nonisolated(unsafe) private static let paths: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> =
    {
      let paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: most)
      paths.initialize(repeating: nil, count: most)
      return paths
    }()

  /// Notes a file that is about to be there.
  static func add(_ path: String) {
    guard let free = (0..<most).first(where: { paths[$0] == nil }) else { return }
    paths[free] = strdup(FileSystem.absolute(path))
  }

  /// Removes the file, if it is still there, and forgets it.
  static func remove(_ path: String) {
    let path = FileSystem.absolute(path)
    unlink(path)
    for index in 0..<most {
      guard let noted = paths[index], strcmp(noted, path) == 0 else { continue }
      paths[index] = nil
      free(noted)
    }
  }

  /// Removes all of them: the command ends. May be called by a handler of signals.
  static func removeAll() {
    for index in 0..<most {
      if let path = paths[index] { unlink(path) }
    }
  }
}

/// What the command does when somebody ends it from outside.
enum Interruption {
  /// Does what must not be interrupted half-way: signals that come meanwhile are heard afterwards.
  static func putOff<Result>(
    _ body: () throws(CommandEnd) -> Result
  ) throws(CommandEnd) -> Result {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  /// Control-C ends it with a status of its own, other signals as they end any program; whichever
  /// it is, nothing half done stays behind.
  static func cleansUp() {
    // Made before a handler needs it.
    UnfinishedFiles.removeAll()
    handle(SIGINT) { _ in
      UnfinishedFiles.removeAll()
      _exit(ExitStatus.interrupted.rawValue)
    }
    for number in [SIGTERM, SIGHUP] {
      handle(number) { number in
        UnfinishedFiles.removeAll()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    let before = signal(number, handler)
    // Somebody has started the command so that it survives this signal.
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(number, SIG_IGN)
    }
  }
}
