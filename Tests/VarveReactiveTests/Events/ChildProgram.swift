import Foundation

/// What the program `ReactiveChild` printed when it did something.
struct ChildProgram {
  private let output: String
  private let errors: String

  /// Runs the program, which lies beside the tests.
  static func run(_ play: String) throws -> ChildProgram {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("ReactiveChild")
    process.arguments = [play]
    // The platform's own report of a crash takes seconds and is not looked at.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let told = try errors.fileHandleForReading.readToEnd() ?? Data()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return ChildProgram(
      output: String(decoding: said, as: UTF8.self), errors: String(decoding: told, as: UTF8.self))
  }

  var cameToTheEnd: Bool { output.contains("came to the end") }

  /// Everything it wrote to standard error.
  var message: String { errors }

  /// The place in its source that it announced under a name.
  func mark(_ name: String) -> String { marks(name).first ?? "no mark \(name)" }

  /// All places that it announced under a name.
  func marks(_ name: String) -> [String] {
    output.split(separator: "\n").filter { $0.hasPrefix("\(name): ") }
      .map { String($0.dropFirst(name.count + 2)) }
  }

  /// The report of a recursive send or a circular wait.
  var report: Report? {
    let lines = errors.split(separator: "\n").map(String.init)
    guard let first = lines.firstIndex(where: { $0.hasPrefix("Varve: ") }) else { return nil }
    let details = lines[(first + 1)...].prefix { $0.hasPrefix("  ") }
    func detail(_ labels: String...) -> String? {
      details.firstMatch(of: labels)
    }
    return Report(
      summary: lines[first],
      way: detail("the delivery's way:")?.components(separatedBy: " → ") ?? [],
      began: detail("the delivery began:", "this thread's delivery began:"),
      cameBack: detail("the send that came back:", "this thread waits at:"))
  }

  struct Report {
    var summary: String
    var way: [String]
    var began: String?
    var cameBack: String?
  }
}

extension Sequence<String> {
  /// What follows the first of `labels` that a line begins with.
  fileprivate func firstMatch(of labels: [String]) -> String? {
    for line in self.map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if let label = labels.first(where: line.hasPrefix) {
        return line.dropFirst(label.count).trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }
}
