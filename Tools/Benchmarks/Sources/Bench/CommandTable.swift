import Foundation
import Measurement
import TraceMill

/// What the command takes, as one runs it: its start, each verb that reads, and each export, on a
/// trace of workload W and on that of a program.
enum CommandTable {
  private static let starts = 21
  private static let longEnough = 20.0

  /// A command line; `FILE` stands for the trace, and `OUT` for a file that may be written.
  private struct Line {
    var title: String
    var words: [String]
    /// Whether it asks about one event or stream, and so needs the trace of the program.
    var needsProgram = false

    init(_ line: String, needsProgram: Bool = false) {
      title = line.replacing("FILE ", with: "").replacing(" FILE", with: "")
        .replacing(" -o OUT", with: "")
      words = line.split(separator: " ").map(String.init)
      self.needsProgram = needsProgram
    }
  }

  private static func verbs(_ event: String) -> [Line] {
    [
      Line("info FILE"), Line("info FILE --findings"), Line("streams FILE"),
      Line("streams FILE --tree"), Line("replay FILE"), Line("replay FILE -n w.7"),
      Line("timeline FILE"), Line("postmortem FILE"), Line("diff FILE FILE"), Line("latency FILE"),
      Line("why FILE \(event)", needsProgram: true),
      Line("why-silent FILE results.1", needsProgram: true),
      Line("backtrace FILE"), Line("verify FILE"),
      Line("query FILE SELECT\u{a0}count(*)\u{a0}FROM\u{a0}events"),
    ]
  }

  private static let exports = [
    "csv", "ndjson", "chrome", "perfetto", "otlp", "parquet", "ctf", "folded", "speedscope", "dot",
    "sql", "sqlite",
  ].map { format in
    Line("export FILE --format \(format)" + (["ctf", "sqlite"].contains(format) ? " -o OUT" : ""))
  }

  static func run(_ options: Options, into report: inout Report) throws {
    guard options.names("command") else { return }
    let command = try options.command ?? built()
    let plain = Files.temporary("w")
    let program = Files.temporary("program")
    defer { Files.remove(plain, program) }
    for (kind, path) in [(TraceKind.w, plain), (.program, program)] {
      var mill = TraceMill(kind, events: options.events)
      _ = try mill.write(to: path)
    }

    Table.heading("the command's start", ["user ms", "wall ms", "MB"])
    let start = try measure(command, ["--version"], rounds: starts)
    report.command["--version"] = ["": start]
    Table.row(
      "--version",
      [start.userSeconds * 1_000, start.wallSeconds * 1_000, start.megabytes].map(Table.number))
    // The program's main thread has more than half of the events.
    let event = "1.\(options.events / 2)"
    let millions = Table.number(Double(options.events) / 1_000_000)
    for (title, lines) in [("verbs", verbs(event)), ("exports", exports)] {
      Table.heading(
        "\(title), \(millions) M events",
        ["W: user s", "wall s", "MB", "program: user", "wall s", "MB"])
      for line in lines {
        try row(line, command, plain, program, rounds: min(options.rounds, 3), &report)
      }
    }
  }

  private static func row(
    _ line: Line, _ command: String, _ plain: String, _ program: String, rounds: Int,
    _ report: inout Report
  ) throws {
    var cells: [String] = []
    for (name, path) in [("w", plain), ("program", program)] {
      guard !line.needsProgram || name == "program" else {
        cells += ["–", "–", "–"]
        continue
      }
      let run = try measure(command, line.words, rounds: rounds, trace: path)
      report.command[line.title, default: [:]][name] = run
      cells += [run.userSeconds, run.wallSeconds, run.megabytes].map(Table.number)
    }
    Table.row(line.title, cells)
  }

  private static func measure(
    _ command: String, _ words: [String], rounds: Int, trace: String = ""
  ) throws -> Report.Command {
    var runs: [CommandRun] = []
    // What takes long varies little, and is not repeated.
    while runs.count < rounds, (runs.last?.wallSeconds ?? 0) < longEnough {
      let out = Files.temporary("out")
      defer { Files.remove(out) }
      let arguments = words.map {
        $0 == "FILE" ? trace : $0 == "OUT" ? out : $0.replacing("\u{a0}", with: " ")
      }
      runs.append(try CommandRun(command, arguments))
    }
    return Report.Command(
      userSeconds: runs.map(\.userSeconds).median, wallSeconds: runs.map(\.wallSeconds).median,
      peakBytes: Int(runs.map(\.peakBytes).median))
  }

  /// Builds the command as it is to be used; returns its path.
  static func built() throws -> String {
    try ClientTable.output(
      ClientTable.root.appendingPathComponent("Tools/command").path, ["--release"]
    )
    .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
