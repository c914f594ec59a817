internal import Dispatch
public import Foundation

/// One run of the command, or of another program of this package, as it was built.
public struct CommandRun {
  /// The exit status; 128 and the signal when a signal ended it.
  public let status: Int32
  /// What it wrote on standard output.
  public let output: String
  /// What it wrote on standard error.
  public let errors: String

  /// Where the built command lies: beside the tests.
  public static var command: URL { program("varve") }

  private static func program(_ name: String) -> URL {
    if name.hasPrefix("/") { return URL(fileURLWithPath: name) }
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    var folder = tests.deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return folder
  }

  /// Ends a run that hangs: it then has the status of what was killed. None takes nearly so long.
  private static func limit(of process: pid_t) -> DispatchWorkItem {
    let end = DispatchWorkItem { kill(process, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(480), execute: end)
    return end
  }

  /// Runs the command, or another program, to its end.
  ///
  /// - Parameter program: its name, when it lies beside the tests, or its path.
  public init(
    _ arguments: [String], environment: [String: String] = [:], folder: String? = nil,
    program: String = "varve"
  ) throws {
    let process = Process()
    process.executableURL = Self.program(program)
    process.arguments = arguments
    var variables = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    variables.merge(environment) { $1 }
    process.environment = variables
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    // Files, not pipes: nothing has to be read while the command runs.
    let files = TemporaryFolder()
    let (output, errors) = (files.file("out"), files.file("err"))
    for path in [output, errors] {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let limit = Self.limit(of: process.processIdentifier)
    process.waitUntilExit()
    limit.cancel()
    status =
      process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
    self.output = try String(contentsOfFile: output, encoding: .utf8)
    self.errors = try String(contentsOfFile: errors, encoding: .utf8)
  }
}
