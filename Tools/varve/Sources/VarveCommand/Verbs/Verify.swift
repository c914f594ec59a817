internal import ArgumentParser
internal import VarveExport
internal import VarveFormat

/// `varve verify FILE`
struct Verify: ExampledCommand {
  static let configuration = CommandConfiguration(
    abstract: "Checks every checksum of a trace, its structure, and the order of its events.",
    discussion: """
      Ends with 0 when all is well, with 4 when something is damaged or out of order: each such \
      place is listed on standard output. Ends with 4, too, when the program died and the sidecar, \
      FILE-live, does not lie beside the trace: its last events may be missing. With -q nothing is \
      printed. Of several files each \
      is checked by itself; JSON is a list then.
      """)

  static let examples = [
    (command: "varve verify shop.varve", meaning: "is it intact?"),
    (command: "varve verify traces", meaning: "every trace in a folder"),
    (command: "varve verify shop.varve --format json", meaning: "for scripts"),
  ]

  @Argument(
    help: ArgumentHelp("The traces, or folders of traces. - is standard input.", valueName: "file"),
    completion: .file())
  var files: [String]
  @Option(help: ListFormat.help) var format = ListFormat.text
  @OptionGroup var output: OutputOptions

  /// Whether only the status is set, for scripts.
  private var isQuiet: Bool { output.quiet }

  func run() throws {
    output.page()
    let sources = try TraceInput.sources(files)
    var status = ExitStatus.found
    var objects: [String] = []
    for source in sources {
      do throws(CommandEnd) {
        let reader = try source.open()
        let found = try check(reader)
        switch format {
        case .text: break
        case .json: objects.append(VerificationText.json(found, of: reader, source.name))
        case .ndjson, .csv:
          objects.append(VerificationText.line(found, of: reader, source.name))
        }
        tell(found, reader, source, isOneOfSeveral: sources.count > 1)
        let isSound = found.damage.isEmpty && found.disorder.isEmpty && !reader.lacksSidecar
        if status == .found, !isSound { status = .damaged }
      } catch {
        guard sources.count > 1 else { throw error }
        if let message = error.message { Messages.error(message) }
        // A file that cannot be checked matters more than damage found in others.
        if status == .found || status == .damaged { status = error.status }
      }
    }
    if !isQuiet {
      switch format {
      case .text: break
      case .json:
        let list = "[\n" + objects.joined(separator: ",\n") + "\n]"
        StandardOutput.write((sources.count > 1 ? list : objects.joined()) + "\n")
      case .ndjson, .csv:
        for note in format.write(objects.joined()) { Messages.warning(note) }
      }
    }
    if status != .found { throw CommandEnd(status) }
  }

  private func check(_ reader: TraceReader) throws(CommandEnd) -> TraceVerification {
    let progress = Progress("verify", isQuiet: isQuiet)
    defer { progress.clear() }
    do throws(TraceFileError) {
      return try TraceVerification(reader) { done, all in progress.show(done, of: all) }
    } catch {
      throw CommandEnd(.unreadable, error.description)
    }
  }

  private func tell(
    _ found: TraceVerification, _ reader: TraceReader, _ source: TraceSource, isOneOfSeveral: Bool
  ) {
    guard !isQuiet else { return }
    if format == .text {
      let name = isOneOfSeveral ? source.name : nil
      StandardOutput.write(
        VerificationText.text(found, of: reader, called: name, style: output.style))
    }
    for warning in reader.warnings { Messages.warning("\(source.name): \(warning)") }
  }
}
