internal import VarvePlatform

/// The files that must not outlive the command, however it ends: drafts, and copies of traces in
/// the folder for temporary files. They contain recorded data. A folder that was made for them is
/// removed if nothing else is in it.
///
/// The table has a fixed size, so that a signal handler can traverse it.
enum UnfinishedFiles {
  private static let most = 4_352
  // Safety: the command has one thread; a handler that interrupts it sees a path or nil.
  nonisolated(unsafe) private static let paths: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> =
    {
      let paths = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: most)
      paths.initialize(repeating: nil, count: most)
      return paths
    }()

  /// Registers a file that is about to be created.
  static func add(_ path: String) {
    guard let free = (0..<most).first(where: { paths[$0] == nil }) else { return }
    paths[free] = strdup(FileSystem.absolute(path))
  }

  /// Removes the file, if it still exists, and forgets it.
  static func remove(_ path: String) {
    unlink(FileSystem.absolute(path))
    keep(path)
  }

  /// Forgets a file or folder, which stays.
  static func keep(_ path: String) {
    let path = FileSystem.absolute(path)
    for index in 0..<most {
      guard let noted = paths[index], strcmp(noted, path) == 0 else { continue }
      paths[index] = nil
      free(noted)
    }
  }

  /// Removes all files, when the command ends. May be called by a signal handler.
  static func removeAll() {
    // Files after the folder that was made for them.
    for index in (0..<most).reversed() {
      if let path = paths[index], unlink(path) != 0 { rmdir(path) }
    }
  }
}

/// The handling of signals that end the command.
enum Interruption {
  /// Calls `body` with signals blocked; pending ones are delivered afterwards.
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

  /// Installs handlers that remove unfinished files. Control-C then ends the command with its own
  /// status, other signals end it as they end any program.
  static func cleansUp() {
    // Creates the table before a handler needs it.
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
    // The parent started the command with this signal ignored.
    if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(number, SIG_IGN)
    }
  }
}
