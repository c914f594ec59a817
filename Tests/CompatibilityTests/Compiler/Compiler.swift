import Foundation

/// The compiler, looking at a file of client code and the modules that these tests were built with.
struct Compiler {
  struct Diagnostic: Hashable, CustomStringConvertible {
    var line: Int
    var severity: String

    var description: String { "line \(line): \(severity)" }
  }

  /// What the compiler says about a file.
  ///
  /// - Parameters:
  ///   - mode: the language mode, 5 or 6.
  ///   - arguments: further arguments.
  static func diagnostics(
    of file: URL, mode: Int, _ arguments: [String] = []
  ) throws -> Set<Diagnostic> {
    let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let maps = [
      built.appendingPathComponent("CVarveSystem.build/module.modulemap"),
      root.appendingPathComponent("Sources/CZlib/module.modulemap"),
    ]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-emit-sil", "-o", "/dev/null", "-parse-as-library",
        "-swift-version", "\(mode)", "-I", built.appendingPathComponent("Modules").path,
      ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + arguments + [file.path]
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self)
    let found = text.split(separator: "\n").compactMap { diagnostic($0, in: file) }
    if found.isEmpty, process.terminationStatus != 0 { throw Failure(output: text) }
    return Set(found)
  }

  struct Failure: Error {
    var output: String
  }

  /// The root of the package.
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// `…/Races.swift:10:26: warning: …`
  private static func diagnostic(_ text: Substring, in file: URL) -> Diagnostic? {
    guard text.hasPrefix(file.path + ":") else { return nil }
    let parts = text.dropFirst(file.path.count + 1).split(separator: ":")
    guard parts.count > 2, let line = Int(parts[0]) else { return nil }
    let severity = parts[2].trimmingCharacters(in: .whitespaces)
    return severity == "note" ? nil : Diagnostic(line: line, severity: severity)
  }
}

/// A file of client code whose lines say what the compiler has to say about them: `// 6: warning`.
struct ClientFile {
  let url: URL
  let text: String

  init(_ name: String) throws {
    url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Diagnostics/\(name).swift")
    text = try String(contentsOf: url, encoding: .utf8)
  }

  /// What is expected in a mode.
  func expected(mode: Int) -> Set<Compiler.Diagnostic> {
    var expected: Set<Compiler.Diagnostic> = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard let comment = line.range(of: "  // ") else { continue }
      for part in line[comment.upperBound...].components(separatedBy: ", ") {
        guard part.hasPrefix("\(mode): ") else { continue }
        expected.insert(.init(line: index + 1, severity: String(part.dropFirst(3))))
      }
    }
    return expected
  }
}
