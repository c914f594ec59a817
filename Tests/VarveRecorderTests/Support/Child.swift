import VarvePlatform

/// The program `RecorderChild`, at work. It is killed when the test forgets it.
final class Child {
  let process: pid_t
  private let output: Int32
  /// Known once somebody has waited for it.
  private var end: End?

  /// How a process ended, as `waitpid` tells it, and what it wrote.
  struct End {
    var status: Int32
    var output: String

    /// The signal that ended it; 0 when it exited.
    var signal: Int32 { status & 0x7f }
    /// What it exited with.
    var code: Int32 { status >> 8 & 0xff }
  }

  /// Starts a play; `environment` is added to ours.
  convenience init(
    _ play: String, _ arguments: [String], environment: [String: String] = [:]
  ) {
    self.init(program: Self.path, [play] + arguments, environment: environment)
  }

  /// Starts another program in the same way.
  init(program: String, _ arguments: [String], environment: [String: String] = [:]) {
    var pipes: [Int32] = [0, 0]
    precondition(pipe(&pipes) == 0, "no pipe")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, pipes[1], STDERR_FILENO)
    posix_spawn_file_actions_addclose(&actions, pipes[0])
    posix_spawn_file_actions_addclose(&actions, pipes[1])
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = Self.environment(adding: environment).map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    // The runner's threads block signals, which the program would inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let error = posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    precondition(error == 0, "cannot start \(program): error \(error)")
    close(pipes[1])
    self.process = process
    output = pipes[0]
  }

  deinit {
    kill()
    wait()
  }

  /// Runs a play to its end.
  static func run(_ play: String, _ arguments: [String], environment: [String: String] = [:])
    -> End
  {
    Child(play, arguments, environment: environment).wait()
  }

  /// Kills it as nothing can be caught.
  func kill() { if end == nil { _ = VarvePlatform.kill(process, SIGKILL) } }

  /// Waits for its end.
  @discardableResult
  func wait() -> End {
    if let end { return end }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(output, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      text += buffer[..<count]
    }
    close(output)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    let end = End(status: status, output: String(decoding: text, as: UTF8.self))
    self.end = end
    return end
  }

  /// Waits until a condition holds.
  ///
  /// - Parameter what: what is waited for, for people.
  /// - Throws: An error that says why, when the program ends before, or when it has been so long that
  ///   something hangs.
  func wait(for what: String, until isMet: () throws -> Bool) throws {
    for _ in 0..<240_000 {
      if try isMet() { return }
      if hasEnded {
        // It may have been the program's last act.
        if try isMet() { return }
        throw WaitedInVain(what: what, end: wait())
      }
      usleep(500)
    }
    kill()
    throw WaitedInVain(what: what, end: wait())
  }

  /// Why a test cannot go on.
  struct WaitedInVain: Error, CustomStringConvertible {
    var what: String
    var end: End
    var description: String { "waited in vain for \(what); the program's end: \(end)" }
  }

  /// Waits for its end no longer than that, and kills it then: it hangs.
  func waitForEnd(atMostSeconds most: Int) throws {
    for _ in 0..<most * 100 {
      if hasEnded { return }
      usleep(10_000)
    }
    kill()
    throw WaitedInVain(what: "the program's end", end: wait())
  }

  /// Whether it has ended and nobody has waited for it.
  private var hasEnded: Bool {
    var told = siginfo_t()
    guard waitid(P_PID, id_t(process), &told, WEXITED | WNOHANG | WNOWAIT) == 0 else { return true }
    return told.si_signo != 0
  }

  static let path = beside("RecorderChild")

  /// A program that lies beside the one that runs the tests.
  static func beside(_ name: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let runner = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = runner.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return folder.joined(separator: "/") + "/" + name
  }

  private static func environment(adding more: [String: String]) -> [String] {
    var all: [String] = []
    var next = environ
    while let entry = next.pointee {
      all.append(String(cString: entry))
      next += 1
    }
    let names = more.keys.map { $0 + "=" } + ["VARVE_TRACE=", "VARVE_OPTIONS="]
    all.removeAll { entry in names.contains { entry.hasPrefix($0) } }
    // Swift's own backtracer takes seconds for each crash, and has nothing to do here.
    return all + more.map { "\($0.key)=\($0.value)" } + ["SWIFT_BACKTRACE=enable=no"]
  }
}
