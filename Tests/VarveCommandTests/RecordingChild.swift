import Foundation
import Testing
import VarveFormat
import VarveTraceScript

/// A program that records, sending at a human pace, until the test is over.
final class RecordingChild {
  private let process = Process()

  /// Starts it and waits until there is something to read.
  ///
  /// - Parameter threads: how many threads send.
  init(into path: String, threads: Int, options: String = "", in folder: TemporaryFolder) throws {
    let board = folder.file("board")
    #expect(FileManager.default.createFile(atPath: board, contents: Data(count: 1 << 16)))
    process.executableURL = CommandRun.command.deletingLastPathComponent()
      .appendingPathComponent("RecorderChild")
    process.arguments = ["paced", path, String(threads), options, board]
    try process.run()
    while isRunning, (try? TraceReader(path: path)) == nil { usleep(10_000) }
    try #require(isRunning, "the program ended before it recorded anything")
  }

  deinit {
    // A termination signal may be blocked: the child inherits that from the thread that starts it.
    kill(identifier, SIGKILL)
    process.waitUntilExit()
  }

  var isRunning: Bool { process.isRunning }
  var identifier: Int32 { process.processIdentifier }
}
