public import VarveAnalysis
public import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// What a program's user sees, each with the command that finds its cause in this trace.
public struct SymptomText {
  /// Something that is wrong, as a user sees it.
  private enum Symptom: String, CaseIterable {
    case wrong = "wrong or old value"
    case nothing = "nothing"
    case stopped = "it stopped"
    case often = "too often"
    case twice = "twice"
    case slow = "too slow"
    case grows = "grows"
    case hangs = "hangs"
    case died = "died"
    case thread = "wrong thread"
    case other = "something else"
  }

  private let command: TraceCommand
  private let style: OutputStyle
  private let names: [String]
  private let ending: TraceEnding
  private let hasTasks: Bool

  /// The greatest number of streams that are offered.
  private static let mostNames = 12

  /// Prepares to list the symptoms for a trace, with its history if that is known.
  public init(
    _ reader: TraceReader, _ history: TraceHistory?, command: TraceCommand, style: OutputStyle
  ) {
    self.command = command
    self.style = style
    names = WatchedStreams(reader.definitions, history).names
    ending = reader.ending
    hasTasks = reader.blocks.contains { $0.kinds.mayContain(RecordKind.taskCreated.rawValue) }
  }

  /// Returns the list, with a line break after each line; empty if the trace has neither streams nor
  /// tasks.
  public func text() -> String {
    let stream = names.first
    let symptoms = ordered.filter { line(for: $0, stream) != nil }
    if symptoms.isEmpty { return "" }
    let width = symptoms.map(\.rawValue.count).max() ?? 0
    let commands = symptoms.map { line(for: $0, stream) ?? "" }
    var lines = zip(symptoms, commands).map { symptom, command in
      let gap = String(repeating: " ", count: width - symptom.rawValue.count)
      return "  " + symptom.rawValue + gap + "  " + command
    }
    if !style.fits(lines) {
      lines = zip(symptoms, commands).flatMap { symptom, command in
        ["  " + symptom.rawValue] + style.wrapped(command, indent: 4).map { "    " + $0 }
      }
    }
    return (["", style.paint("what do you see?", .bold)] + lines + others).map { $0 + "\n" }
      .joined()
  }

  /// After a death, that is the first thing to ask about.
  private var ordered: [Symptom] {
    let first: [Symptom] =
      switch ending {
      case .crashed where !ending.isKill: [.died]
      case .crashed, .killed: [.hangs, .died]
      case .running: [.hangs]
      case .clean: []
      }
    return first + Symptom.allCases.filter { !first.contains($0) }
  }

  /// Returns the command for a symptom of a stream; nil if the trace has nothing to ask about.
  private func line(for symptom: Symptom, _ stream: String?) -> String? {
    guard let stream else { return hasTasks ? lineAboutTasks(for: symptom) : nil }
    return switch symptom {
    case .wrong, .often, .twice: command.line("why", stream)
    case .thread: command.line("why", stream, "--last-hop")
    case .nothing, .stopped: command.line("why-silent", stream)
    case .slow: command.line("latency")
    case .grows: command.line("streams", "--open")
    case .hangs, .died: command.line("postmortem")
    case .other: command.line("timeline")
    }
  }

  /// Returns the command for a symptom of a program that has tasks and no streams.
  private func lineAboutTasks(for symptom: Symptom) -> String? {
    switch symptom {
    case .hangs: command.line("tasks")
    // What has ended is of interest, too.
    case .wrong, .grows, .often, .twice, .nothing, .stopped, .thread:
      ending == .clean ? command.line("tasks", "--ended") : command.line("tasks")
    case .slow: command.line("latency")
    case .died: command.line("postmortem")
    case .other: command.line("timeline")
    }
  }

  /// The other streams that such a command can ask about.
  private var others: [String] {
    guard names.count > 1 else { return [] }
    let shown = names.prefix(Self.mostNames).map { ShellText.word($0, ascii: style.ascii) }
      .joined(separator: ", ")
    let left = names.count - Self.mostNames
    let more = left > 0 ? ", and \(Counted.grouped(UInt64(left))) more" : ""
    return style.wrapped("streams to ask about: \(shown)\(more)", indent: 4).enumerated().map {
      ($0 == 0 ? "  " : "    ") + $1
    }
  }
}
