import Foundation

/// One run of the command, whose output goes nowhere.
///
/// Python starts it: a program's greatest memory counts what the program had that started it, and this
/// one has as much as the command may take.
struct CommandRun {
  /// Seconds of CPU in the command's own code.
  var userSeconds: Double
  /// Seconds from its start to its end.
  var wallSeconds: Double
  /// The most memory that it held at a time, in bytes.
  var peakBytes: Double

  private static let start = """
    import os, sys, time
    began = time.monotonic()
    nothing = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in range(3)]
    pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=nothing)
    _, status, usage = os.wait4(pid, 0)
    took = time.monotonic() - began
    bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(os.waitstatus_to_exitcode(status), usage.ru_utime, took, bytes)
    """

  init(_ command: String, _ arguments: [String]) throws {
    let printed = try ClientTable.output("python3", ["-c", Self.start, command] + arguments)
    let numbers = printed.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    // 1: nothing was found, which takes as long.
    guard numbers.count == 4, numbers[0] == 0 || numbers[0] == 1 else {
      throw ClientTable.Failure(message: "varve \(arguments.joined(separator: " ")) failed")
    }
    (userSeconds, wallSeconds, peakBytes) = (numbers[1], numbers[2], numbers[3])
  }
}
