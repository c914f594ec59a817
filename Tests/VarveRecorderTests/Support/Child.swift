import Glibc

/// The program `RecorderChild`, at work.
struct Child {
  let process: pid_t
  private let output: Int32

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
  init(_ play: String, _ arguments: [String], environment: [String: String] = [:]) {
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

  /// Runs a play to its end.
  static func run(_ play: String, _ arguments: [String], environment: [String: String] = [:])
    -> End
  {
    Child(play, arguments, environment: environment).wait()
  }

  /// Kills it as nothing can be caught.
  func kill() { _ = Glibc.kill(process, SIGKILL) }

  /// Waits for its end.
  func wait() -> End {
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
    return End(status: status, output: String(decoding: text, as: UTF8.self))
  }

  /// Beside the program that runs the tests.
  static let path: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let runner = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = runner.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return folder.joined(separator: "/") + "/RecorderChild"
  }()

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
