internal import VarvePlatform

/// Runs a program as if it had been started directly.
enum ChildProcess {
  /// How a program ended.
  struct Ending {
    /// The id of the program's process.
    let process: pid_t
    /// The status from `waitpid`.
    let status: Int32

    /// The signal that ended the program; nil if it exited.
    var signal: Int32? { status & 0x7f == 0 ? nil : status & 0x7f }
    /// The exit status.
    var code: Int32 { status >> 8 & 0xff }

    /// Ends this process in the same way, so that its parent sees no difference.
    func endAlike() -> Never {
      guard let number = signal else { exit(code) }
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      #if canImport(Glibc)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
      #else
        setrlimit(RLIMIT_CORE, &none)
      #endif
      Signals.reset(number)
      Signals.unblock()
      kill(getpid(), number)
      exit(128 + number)
    }
  }

  /// Runs a program to its end, with variables added to its environment.
  static func run(_ words: [String], environment: [String: String]) throws -> Ending {
    for (name, value) in environment { setenv(name, value, 1) }
    Signals.block()
    var child: pid_t = 0
    let failure = spawn(words, &child)
    guard failure == 0 else {
      Signals.unblock()
      throw CommandEnd(
        .wrongUsage, "cannot run \(words[0]): \(String(cString: strerror(failure)))")
    }
    Signals.forward(to: child)
    Signals.unblock()
    // The process id is not reused until the status is collected, so no forwarded signal can reach
    // another process.
    var details = siginfo_t()
    while waitid(P_PID, id_t(child), &details, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    Signals.stopForwarding()
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return Ending(process: child, status: status)
  }

  private static func spawn(_ words: [String], _ child: inout pid_t) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Signals that this process ignores stay ignored in the child; handlers do not survive `exec`.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    return posix_spawnp(&child, words[0], nil, &attributes, &arguments, environ)
  }
}

/// Forwards signals from this process to the child.
enum Signals {
  private static let forwarded = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT]

  // Safety: written once, while the signals are blocked, before any handler can run.
  nonisolated(unsafe) private static var child: pid_t = 0
  // Safety: used by the main thread only; handlers do not read it.
  nonisolated(unsafe) private static var before: [(number: Int32, action: sigaction)] = []

  static func block() {
    var all = sigset_t()
    sigfillset(&all)
    sigprocmask(SIG_BLOCK, &all, nil)
  }

  static func unblock() {
    var all = sigset_t()
    sigfillset(&all)
    sigprocmask(SIG_UNBLOCK, &all, nil)
  }

  /// Restores the default action of a signal.
  static func reset(_ number: Int32) { signal(number, SIG_DFL) }

  /// Begins to forward signals to `child`.
  ///
  /// Only signals sent by processes are forwarded: those of the terminal reach the child directly,
  /// because it is in the same process group.
  static func forward(to child: pid_t) {
    Self.child = child
    var action = sigaction()
    let handler:
      @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?)
        -> Void = { number, details, _ in
          guard let details, details.pointee.si_code <= 0 else { return }
          kill(Signals.child, number)
        }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_sigaction = handler
    #elseif canImport(Glibc)
      action.__sigaction_handler.sa_sigaction = handler
    #elseif canImport(Musl)
      action.__sa_handler.sa_sigaction = handler
    #endif
    action.sa_flags = SA_SIGINFO | Int32(SA_RESTART)
    for number in forwarded {
      var earlier = sigaction()
      sigaction(number, &action, &earlier)
      before.append((number, earlier))
    }
  }

  /// Restores the earlier actions of the signals, once the child has ended.
  static func stopForwarding() {
    for (number, action) in before {
      var action = action
      sigaction(number, &action, nil)
    }
    before = []
  }
}
