import Foundation
import Testing
import VarveTraceScript

/// What `Docs/FindingBugs.md` and the tutorial show is what the command prints, but for numbers that
/// differ from run to run.
@Suite("The stories of bugs", .serialized)
struct BugStoryTests {
  private let folder = TemporaryFolder()

  /// A command of the document and the lines that it shows.
  private struct Example {
    var arguments: [String]
    var lines: [String]
  }

  private func examples(in document: String) throws -> [Example] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    var examples: [Example] = []
    var isInside = false
    var isShown = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        isInside.toggle()
        isShown = false
      } else if isInside, line.hasPrefix("$ varve ") {
        let words = line.dropFirst(8).split(separator: " ").map {
          $0.trimmingCharacters(in: CharacterSet(charactersIn: "'"))
        }
        // The tutorial shows how to record; these tests do that in their own way.
        isShown = words.first != "run"
        if isShown { examples.append(Example(arguments: words, lines: [])) }
      } else if line.hasPrefix("$") {
        isShown = false
      } else if isInside, isShown, !line.isEmpty {
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
      // How many lie there is a matter of time.
      .replacing("pieces of work lie ", with: "piece of work lies ")
      .split(separator: " ").joined(separator: " ")
  }

  /// A number in letters, so that it is not masked.
  private func letters(_ digits: Substring) -> String {
    String(digits.compactMap { $0.wholeNumberValue.map { Array("abcdefghij")[$0] } })
  }

  private func record(_ name: String) throws -> String {
    let trace = folder.file("\(name).varve")
    guard !FileManager.default.fileExists(atPath: trace) else { return trace }
    let isTutorial = name == "weather"
    _ = try CommandRun(
      isTutorial ? [] : ["--case", name],
      environment: ["VARVE_TRACE": trace, "SWIFT_BACKTRACE": "enable=no"],
      program: isTutorial ? "weather" : "SearchDemoCommand")
    return trace
  }

  /// How often the stories are recorded: on a busy machine, threads that are held up may tell another
  /// one.
  private static let mostAttempts = 3

  @Test(
    "each line that they show is printed, in that order",
    arguments: [("Docs/FindingBugs.md", 10), ("Sources/Varve/Varve.docc/GettingStarted.md", 2)])
  func stories(_ document: String, commands: Int) throws {
    let examples = try examples(in: document)
    #expect(examples.count >= commands)
    for example in examples {
      var miss: String?
      for _ in 0..<Self.mostAttempts {
        miss = try self.miss(example)
        if miss == nil { break }
        for trace in example.arguments where trace.hasSuffix(".varve") {
          try FileManager.default.removeItem(atPath: folder.file(trace))
        }
      }
      if let miss { Issue.record("\(example.arguments): \(miss)") }
    }
  }

  /// Returns which line is not printed, and what is; nil if all are.
  private func miss(_ example: Example) throws -> String? {
    let arguments = try example.arguments.map { word in
      word.hasSuffix(".varve") ? try record(String(word.dropLast(6))) : word
    }
    let run = try CommandRun(arguments)
    var printed = run.output.split(separator: "\n").map { masked(String($0)) }[...]
    for line in example.lines where line != "…" {
      let wanted = masked(line)
      guard let found = printed.firstIndex(of: wanted) else {
        return "no line is\n\(wanted)\nin\n\(run.output)"
      }
      printed = printed[(found + 1)...]
    }
    return nil
  }
}
