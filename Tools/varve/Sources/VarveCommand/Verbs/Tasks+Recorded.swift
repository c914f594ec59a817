internal import VarveAnalysis
internal import VarveExport
internal import VarveFormat
internal import VarveProbe

/// The tasks of a recording.
extension Tasks {
  func showRecorded(_ wanted: Selection) throws {
    guard still == nil, program == nil else {
      throw CommandEnd(.wrongUsage, "--still and --program are about processes and core files")
    }
    guard (try? TraceReader(path: source)) != nil || source.hasSuffix(".varve") else {
      throw CommandEnd(
        .unreadable, "\(source) is neither a trace, nor a core file, nor the number of a process")
    }
    var trace = try OpenedTrace(source, output)
    let reader = trace.reader
    var recorded: TraceTasks
    do throws(SelectionError) {
      let moment = try at.map { text throws(SelectionError) in try TimeExpression(text) }
      recorded = try TraceTasks(reader, at: moment, includesEnded: ended)
    } catch {
      throw CommandEnd(.wrongUsage, error.message)
    }
    let lookup = EventLookup(reader)
    let thrown = ended ? ThrownErrors(reader, lookup) : nil
    if let thrown { recorded.addStacks(of: thrown, reader.definitions) }
    let choice = try choice(in: reader)
    let guesses =
      if let thrown, at == nil, format == .text { guess(&trace, thrown, lookup) } else { "" }
    // Of a program that has ended by itself, what kept tasks waiting tells less than the guesses.
    let hasFound = show(
      recorded.tasks, reader.definitions, wanted,
      isChosen: { task in
        choice.isEverything || recorded.lastRuns[task.id].map { choice.contains($0) } ?? false
      },
      marksAdvice: guesses.isEmpty || reader.ending != .clean,
      time: { reader.time.nanoseconds(sinceStart: $0) }, moment: recorded.moment)
    trace.report(
      recorded.damage + choice.damage + (thrown?.damage ?? []),
      recorded.passedOver.merged(choice.passedOver))
    if hasFound { StandardOutput.write(guesses) }
    try trace.end(
      found: hasFound,
      orSay: recorded.areRecorded
        ? nothing(of: recorded.tasks)
        : recorded.obstacle.map { "\(source): \($0)" }
          ?? "\(source) has no records of tasks; varve run records them, unless --no-tasks or --light "
          + "is given, and so does a program with Recorder.Options.recordsTasks")
  }

  /// Returns the events that the flags choose, whatever their names: these are tasks'.
  private func choice(in reader: TraceReader) throws -> EventChoice {
    var events = try selection.selection(in: reader)
    (events.names, events.excluded, events.head, events.tail) = ([], [], nil, nil)
    return try EventChoice(events, in: reader)
  }

  /// Returns what may lie behind a wrong result.
  private func guess(
    _ trace: inout OpenedTrace, _ thrown: ThrownErrors, _ lookup: EventLookup
  ) -> String {
    let reader = trace.reader
    let symbols = symbols.symbolizer(reader)
    let words = TraceWords(
      reader, pid: reader.header.process.pid, style: output.style, symbols: symbols)
    let suspicions = TaskSuspicions(
      reader, symbols, caught: CaughtErrors(thrown, reader.definitions, symbols),
      hasEnded: reader.ending == .clean)
    trace.report(suspicions.damage, suspicions.passedOver)
    let text = FindingText(words, lookup: lookup, command: TraceCommand([source]))
    return text.section("if a result is wrong or missing", suspicions.wrong())
  }
}
