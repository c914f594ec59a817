internal import VarveAnalysis
public import VarveFormat
internal import VarveMarbles
internal import VarveProbe

/// Describes a trace in half a screen.
public struct TraceSummaryText {
  private let reader: TraceReader
  private let damage: [TraceDamage]?
  private let command: TraceCommand
  private let style: OutputStyle
  private let end: String?

  /// Prepares to describe a trace.
  ///
  /// - Parameters:
  ///   - reader: the trace.
  ///   - damage: the damage found in a check of all blocks; nil if they were not checked.
  ///   - command: the trace as the command line names it, for hints; nil for the reader's file.
  ///   - style: whether colours are used, and how wide the output is.
  ///   - end: who ended the program and why, where that is known from elsewhere.
  public init(
    _ reader: TraceReader, damage: [TraceDamage]? = nil, command: TraceCommand? = nil,
    style: OutputStyle, end: String? = nil
  ) {
    self.end = end
    self.reader = reader
    self.damage = damage
    self.command = command ?? TraceCommand([reader.path])
    self.style = style
  }

  /// Returns the description, with a line break after each line.
  public func text() -> String {
    let process = reader.header.process
    var lines = [title]
    if process.arguments.count > 1 {
      add("arguments", process.arguments.dropFirst().joined(separator: " "), to: &lines)
    }
    if let processes { add("processes", processes, to: &lines) }
    add("recorded", recorded, to: &lines)
    add("ended", ended, to: &lines)
    add("events", events, to: &lines)
    add("blocks", checked, to: &lines)
    if let sidecar { add("sidecar", sidecar, to: &lines) }
    add("streams", streams, to: &lines)
    add("threads", threads, to: &lines)
    let missing =
      TraceWarnings.losses(reader, list: command.losses)
      + TraceWarnings.damage(damage ?? reader.damage, list: command.line("verify"))
    for warning in missing { add("missing", warning, colour: .failed, to: &lines) }
    for warning in reader.warnings { add("warning", warning, colour: .failed, to: &lines) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func add(_ title: String, _ text: String, colour: Colour? = nil, to lines: inout [String])
  {
    let padded = title + String(repeating: " ", count: 10 - title.count)
    let safe = style.escaped(text)
    let indent = 12
    for (index, part) in style.wrapped(safe, indent: indent).enumerated() {
      let head =
        index == 0 ? "  " + style.paint(padded, .dim) : String(repeating: " ", count: indent)
      lines.append(head + (colour.map { style.paint(part, $0) } ?? part))
    }
  }

  private var title: String {
    let process = reader.header.process
    let program = process.program.isEmpty ? "an unnamed program" : process.program
    // What several processes were merged into has no number.
    let number = process.pid == 0 ? [] : ["process \(process.pid)"]
    let origin = number + (process.host.isEmpty ? [] : ["on \(process.host)"])
    let about = [origin.joined(separator: " "), program].filter { !$0.isEmpty }
    let name = style.escaped(Self.name(of: program))
    let origins = style.escaped("(\(about.joined(separator: ", ")))")
    guard let width = style.width, DisplayWidth.of("\(name) \(origins)") > width else {
      return style.paint(name, .bold) + " " + origins
    }
    let names = style.wrapped(name, indent: 2).map { style.paint($0, .bold) }
    return (names + style.wrapped(origins, indent: 2)).joined(separator: "\n  ")
  }

  /// Returns the name of a program or, of a merged trace, several, without their folders.
  private static func name(of programs: String) -> String {
    let names = programs.split(separator: " + ").map { program in
      program.split(separator: "/").last.map(String.init) ?? String(program)
    }
    return names.joined(separator: " + ")
  }

  private var recorded: String {
    let text = Self.moment(reader.header.process.started)
    let duration = TraceSpan(of: reader).duration
    let recorded = "\(text), for \(ElapsedTime.short(nanoseconds: duration))"
    // A program that hung did nothing for much longer than it did something.
    let lastSeen = UInt64(max(reader.time.nanoseconds(sinceStart: reader.time.lastTick), 0))
    guard reader.ending != .clean, lastSeen - min(duration, lastSeen) >= Self.longSilence else {
      return recorded
    }
    return "\(recorded); alive without an event until "
      + ElapsedTime.short(nanoseconds: lastSeen)
  }

  /// A silence at the end that is worth a word, in nanoseconds.
  private static let longSilence: UInt64 = 1_000_000_000

  private var ended: String {
    if reader.ending.isKill, let end { return "killed: \(end)" }
    switch reader.ending {
    case .clean: return "clean"
    case .running: return "not yet: the program is still running"
    case .killed: return "killed: the program went without a word; nothing says of what"
    case .crashed(let signal, let ring, let counter):
      let name = SignalName.name(signal).map { ", \($0)" } ?? ""
      let thread = ring.map { ", on thread \(threadNames.numbered($0))" } ?? ""
      let place = counter.map { ", at \(AddressText.of($0))" } ?? ""
      return "\(reader.ending.word): signal \(signal)\(name)\(thread)\(place)"
    }
  }

  private var events: String {
    let beside = reader.sidecarEvents
    guard beside > 0 else { return eventsInFile }
    return
      "\(Counted.grouped(reader.events)), of which \(Counted.grouped(beside)) lie in the sidecar; "
      + "in the file: \(eventsInFile)"
  }

  private var eventsInFile: String {
    let count = reader.events - reader.sidecarEvents
    let blocks = Counted.text(UInt64(reader.blocks.count { $0.offset != nil }), "block", "blocks")
    let size = Counted.bytes(reader.bytes)
    guard count > 0 else { return "none, in \(size)" }
    let each = Double(reader.bytes) / Double(count)
    let tenths = (each * 10).rounded() / 10
    return "\(Counted.grouped(count)) in \(blocks), \(size): \(tenths) bytes each"
  }

  /// What is known about the blocks: nothing is called whole that was not checked.
  private var checked: String {
    guard let damage else { return "not checked; this checks them: " + command.line("verify") }
    if !damage.isEmpty {
      return "checked: \(Counted.text(UInt64(damage.count), "place", "places")) damaged"
    }
    return "checked: all as they were written"
  }

  /// The sidecar, and how to join it with the file.
  private var sidecar: String? {
    guard let bytes = reader.sidecarBytes else { return nil }
    let file = "\(Sidecar.path(ofTraceAt: reader.path)), \(Counted.bytes(bytes))"
    guard reader.ending != .running else { return file }
    return "\(file); both in one file: "
      + TraceCommand([reader.path]).line("repair", "-o", "whole.varve")
  }

  private var streams: String {
    let all = reader.definitions.streams.values
    guard !all.isEmpty else { return "none" }
    let named = all.count { $0.isNamed }
    return "\(Counted.grouped(UInt64(all.count))), of which \(Counted.grouped(UInt64(named))) named"
  }

  /// The processes of a merged trace, each with the number that its events' names begin with.
  private var processes: String? {
    let all = ProcessNames(reader.definitions.threads.values).numbered
    guard !all.isEmpty else { return nil }
    let known = all.map { number, name in
      let process = reader.definitions.processes[number]?.process
      let host = process.flatMap { $0.host.isEmpty ? nil : " on \($0.host)" } ?? ""
      let since = process.map { " since \(Self.moment($0.started))" } ?? ""
      return "\(number): \(name)\(host)\(since)"
    }
    return known.joined(separator: ", ")
  }

  private static func moment(_ started: UInt64) -> String {
    WallTime.text(nanoseconds: Int64(clamping: started), digits: 3)
  }

  private var threads: String {
    let threadNames = threadNames
    var known: Set<String> = []
    let names = reader.definitions.threads.keys.sorted()
      .filter { known.insert(threadNames[$0]).inserted }.map(threadNames.numbered)
    let shown = names.prefix(6).joined(separator: ", ")
    let more = names.count > 6 ? " and \(names.count - 6) more" : ""
    return names.isEmpty ? "none" : "\(names.count): \(shown)\(more)"
  }

  private var threadNames: ThreadNames {
    ThreadNames(reader.definitions.threads, pid: reader.header.process.pid)
  }
}
