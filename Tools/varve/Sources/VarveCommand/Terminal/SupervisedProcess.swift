internal import VarvePlatform

/// A program whose output passes through this process, so that its silence is noticed.
final class SupervisedProcess {
  /// What a wait has brought.
  enum Occasion {
    /// The program has ended.
    case ended
    /// The time that was given has passed.
    case timeout
    /// This process was sent a signal that asks it to end.
    case signal(Int32)
  }

  let process: pid_t
  /// The ends of the pipes, and where what they bring goes.
  private var pipes: [(from: Int32, to: Int32)]
  private(set) var status: Int32?
  /// When something was last written, in nanoseconds of the system's clock.
  private(set) var lastOutput = SupervisedProcess.now

  // Safety: a handler writes it, which may interrupt the main thread, its only reader.
  nonisolated(unsafe) private static var received: Int32 = 0
  private static let asking = [SIGINT, SIGTERM, SIGHUP]

  /// Starts a program, with variables added to its environment.
  init(_ words: [String], environment: [String: String]) throws(CommandEnd) {
    for (name, value) in environment { setenv(name, value, 1) }
    var out: [Int32] = [0, 0]
    var err: [Int32] = [0, 0]
    guard pipe(&out) == 0, pipe(&err) == 0 else {
      throw CommandEnd(.unreadable, "cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO)
    for descriptor in out + err { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    // In a group of its own, so that what ends this process's group, as `timeout` does, leaves it
    // alive to be looked at.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let failure = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, environ)
    close(out[1])
    close(err[1])
    guard failure == 0 else {
      throw CommandEnd(
        .wrongUsage, "cannot run \(words[0]): \(String(cString: strerror(failure)))")
    }
    process = child
    pipes = [(out[0], STDOUT_FILENO), (err[0], STDERR_FILENO)]
    for descriptor in [out[0], err[0]] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    signal(SIGPIPE, SIG_IGN)
    for number in Self.asking { signal(number) { SupervisedProcess.received = $0 } }
  }

  /// Passes the program's output on until something happens.
  func wait(atMost seconds: Double) -> Occasion {
    let end = Self.now + UInt64(seconds * 1_000_000_000)
    while true {
      pass()
      if Self.received != 0 {
        defer { Self.received = 0 }
        return .signal(Self.received)
      }
      if hasEnded {
        // What it wrote last may still be in the pipes; what its own children write later is theirs.
        pass()
        return .ended
      }
      if Self.now >= end { return .timeout }
      var polled = pipes.map { pollfd(fd: $0.from, events: Int16(POLLIN), revents: 0) }
      poll(&polled, nfds_t(polled.count), 50)
    }
  }

  /// How long nothing was written, in seconds.
  var silence: Double { Double(Self.now - lastOutput) / 1_000_000_000 }

  private func pass() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    for index in pipes.indices.reversed() {
      while true {
        let count = read(pipes[index].from, &buffer, buffer.count)
        if count > 0 {
          lastOutput = Self.now
          _ = Descriptor.write(Array(buffer.prefix(count)), to: pipes[index].to)
          continue
        }
        if count < 0, errno == EINTR { continue }
        if count == 0 {
          close(pipes[index].from)
          pipes.remove(at: index)
        }
        break
      }
    }
  }

  private var hasEnded: Bool {
    guard status == nil else { return true }
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return false }
    self.status = status
    return true
  }

  static var now: UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }
}
