import Foundation
import Testing
import VarveTraceScript

/// What `Docs/FindingBugs.md` shows is what the command prints, but for numbers that differ from run
/// to run.
@Suite("The stories of bugs", .serialized)
struct BugStoryTests {
  private let folder = TemporaryFolder()

  /// A command of the document and the lines that it shows.
  private struct Example {
    var arguments: [String]
    var lines: [String]
  }

  private func examples() throws -> [Example] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("Docs/FindingBugs.md"), encoding: .utf8)
    var examples: [Example] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        isInside.toggle()
      } else if isInside, line.hasPrefix("$ varve ") {
        let words = line.dropFirst(8).split(separator: " ").map {
          $0.trimmingCharacters(in: CharacterSet(charactersIn: "'"))
        }
        examples.append(Example(arguments: words, lines: []))
      } else if isInside, !line.isEmpty, !line.hasPrefix("$"), !examples.isEmpty {
        examples[examples.count - 1].lines.append(line)
      }
    }
    return examples
  }

  /// The line with everything masked that differs from run to run: names of events, times, threads,
  /// the room between columns. Lines of source files stay.
  private func masked(_ line: String) -> String {
    line.replacing(/\/\S*\/(\w+\.varve)/) { $0.1 }
      .replacing(/\bworker( \d+)?/, with: "QUEUE")
      .replacing(/(\.swift:)(\d+)/) { "\($0.1)\(letters($0.2))" }
      .replacing(/\d[\d.,]* (ns|µs|ms|s|min)\b/, with: "TIME")
      .replacing(/0x[0-9a-f]+/, with: "ADDRESS")
      .replacing(/SIG[A-Z]+/, with: "SIGNAL")
      .replacing(/\d+/, with: "N")
      .split(separator: " ").joined(separator: " ")
  }

  /// A number in letters, so that it is not masked.
  private func letters(_ digits: Substring) -> String {
    String(digits.compactMap { $0.wholeNumberValue.map { Array("abcdefghij")[$0] } })
  }

  private func record(_ name: String) throws -> String {
    let trace = folder.file("\(name).varve")
    guard !FileManager.default.fileExists(atPath: trace) else { return trace }
    _ = try CommandRun(
      ["--case", name],
      environment: [
        "VARVE_TRACE": trace, "VARVE_OPTIONS": "crashes=yes,absorption=yes",
        "SWIFT_BACKTRACE": "enable=no",
      ], program: "SearchDemoCommand")
    return trace
  }

  @Test("each line that they show is printed, in that order")
  func stories() throws {
    let examples = try examples()
    #expect(examples.count >= 6)
    for example in examples {
      let arguments = try example.arguments.map { word in
        word.hasSuffix(".varve") ? try record(String(word.dropLast(6))) : word
      }
      let run = try CommandRun(arguments)
      var printed = run.output.split(separator: "\n").map { masked(String($0)) }[...]
      for line in example.lines where line != "…" {
        let wanted = masked(line)
        guard let found = printed.firstIndex(of: wanted) else {
          Issue.record("\(example.arguments): no line is\n\(wanted)\nin\n\(run.output)")
          break
        }
        printed = printed[(found + 1)...]
      }
    }
  }
}
