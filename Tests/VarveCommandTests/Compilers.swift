import Foundation
import Testing
import VarveTraceScript

/// The compilers of the system, for programs that tests make.
enum Compilers {
  /// Whether both are there.
  static let areThere = ["clang", "swiftc"].allSatisfy { name in
    (try? run(name, ["--version"]).status) == 0
  }

  private static func run(_ name: String, _ words: [String]) throws -> CommandRun {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try CommandRun([name] + words, environment: ["PATH": path], program: "/usr/bin/env")
  }

  /// Compiles a text, and returns the path of what was made.
  ///
  /// - Parameters:
  ///   - text: the source, of C or Swift.
  ///   - source: the name of its file, by which the language is known.
  ///   - output: the name of the file to make.
  ///   - options: further words for the compiler.
  ///   - folder: the folder for both files.
  static func make(
    _ text: String, _ source: String, to output: String, _ options: [String],
    in folder: TemporaryFolder
  ) throws -> String {
    let (source, output) = (folder.file(source), folder.file(output))
    try text.write(toFile: source, atomically: false, encoding: .utf8)
    let compiler = source.hasSuffix(".swift") ? "swiftc" : "clang"
    let run = try run(compiler, [source, "-o", output] + options)
    try #require(run.status == 0, "\(run.errors)")
    return output
  }
}
