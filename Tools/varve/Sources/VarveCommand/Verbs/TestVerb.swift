internal import ArgumentParser
internal import VarveAnalysis
internal import VarveFormat
internal import VarvePlatform
internal import VarveRecorder

/// `varve test -- COMMAND`
struct TestVerb: ExampledCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Runs tests; when they hang, says which task waits for what, and where.",
    discussion: """
      The command runs as it would without. When its test processes have written nothing for as long \
      as --silence says, or varve is told to end (as a CI service does that loses patience), the tasks \
      of each test process are shown, with the lines to look at; then the processes are ended. Test \
      processes are recorded, one trace for each, their tasks too, whether they import Varve or not \
      (these, from the first task on); the package manager, compilers and linkers are not. Traces of \
      processes that hang or crash are kept, and explained.

      varve ends with the status of the command, or with 124 if the command did not end by itself.
      """)

  static let examples = [
    (command: "varve test -- swift test", meaning: "run a package's tests"),
    (command: "varve test --silence 5m -- swift test", meaning: "with patience"),
    (command: "varve test -o traces -- swift test", meaning: "and keep all traces"),
  ]

  @Option(
    help: ArgumentHelp(
      "How long test processes may be silent: 90s, 5m.", valueName: "duration"))
  var silence = "60s"
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Keep all traces, in this folder.", valueName: "folder"))
  var folder: String?
  @Option(
    help: ArgumentHelp("What is recorded, as for varve run.", valueName: "list"),
    completion: WordLists.recorder)
  var options: String?
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Say nothing unless tests hang.")
  var isQuiet = false
  @Argument(parsing: .captureForPassthrough, help: "The command and its arguments.")
  var command: [String] = []

  /// Answers a request for help before the command, of which the parser takes it for the beginning.
  func validate() throws {
    guard let word = command.first, ["-h", "--help", "-help"].contains(word) else { return }
    throw CleanExit.helpRequest(self)
  }

  func run() throws {
    let words = command.first == "--" ? Array(command.dropFirst()) : command
    guard let name = words.first else {
      throw CommandEnd(.wrongUsage, "which command? try: varve test -- swift test")
    }
    guard !name.hasPrefix("-") else {
      throw CommandEnd(.wrongUsage, "unknown option \"\(name)\"; the command goes behind --")
    }
    let limit = try patience()
    let traces = try TestTraces(in: folder)
    var environment = ["VARVE_TRACE": traces.pattern]
    if let options {
      do throws(OptionMistake) {
        _ = try Recorder.Options(text: options)
      } catch {
        throw CommandEnd(.wrongUsage, "--options: \(error.message)")
      }
      environment["VARVE_OPTIONS"] = options
    }
    if PreloadedLibrary.tasks.isThere {
      environment["LD_PRELOAD"] = try PreloadedLibrary.preloading([.tasks])
      environment["VARVE_TASKS_NOT"] = ProcessTree.toolNames
    } else if let absence = PreloadedLibrary.tasks.absence, !isQuiet {
      Messages.warning("tasks are not recorded: \(absence)")
    }
    let child = try SupervisedProcess(words, environment: environment)
    let stop = watch(child, limit)
    traces.explain(isQuiet: isQuiet, stop)
    // A signal with which varve ended the command is no status of its own.
    let isOwn = child.status.map { stop == nil || $0 != 0 && $0 & 0x7f == 0 } ?? false
    guard let status = child.status, isOwn else {
      StandardOutput.finish()
      VarvePlatform.exit(124)
    }
    ChildProcess.Ending(process: child.process, status: status).endAlike()
  }

  private func patience() throws -> Double {
    do {
      let limit = Double(try DurationText.nanoseconds(silence)) / 1_000_000_000
      guard limit >= 0.1 else {
        throw CommandEnd(.wrongUsage, "--silence \(silence): at least 0.1s")
      }
      return limit
    } catch let error as SelectionError {
      throw CommandEnd(.wrongUsage, "--silence: \(error)")
    }
  }

  /// Waits for the command's end. Returns what was stopped, if something had to be.
  private func watch(_ child: SupervisedProcess, _ limit: Double) -> Stop? {
    // A build writes nothing for minutes: silence counts from when a test process is there.
    var testsSince: UInt64?
    while true {
      switch child.wait(atMost: min(limit / 4, 1)) {
      case .ended: return nil
      case .signal(let number):
        let tests = ProcessTree(below: child.process).tests
        report(tests, "varve was told to end (signal \(number)) while tests ran")
        end(child, tests, by: number)
        return Stop(
          tests, "varve test, which was told to end itself (signal \(number)), ended it")
      case .timeout:
        let tests = ProcessTree(below: child.process).tests
        guard !tests.isEmpty else {
          testsSince = nil
          continue
        }
        let now = SupervisedProcess.now
        let since = testsSince ?? now
        testsSince = since
        let waited = min(child.silence, Double(now - since) / 1_000_000_000)
        guard waited >= limit else { continue }
        report(tests, "the tests have been silent for \(silence): they seem to hang")
        end(child, tests, by: SIGTERM)
        return Stop(tests, "it had been silent for \(silence), and varve test ended it")
      }
    }
  }

  private func report(_ tests: [ProcessTree.Member], _ reason: String) {
    Messages.plain("")
    Messages.warning(reason)
    for test in tests {
      StandardOutput.write("\nprocess \(test.process)  \(test.path)\n")
      do {
        try Tasks.parse(["\(test.process)", "--no-pager"]).run()
      } catch let end as CommandEnd {
        if let message = end.message { StandardOutput.write("  \(message)\n") }
      } catch {
        StandardOutput.write("  \(error)\n")
      }
    }
    StandardOutput.write("\n")
  }

  /// Ends the tests, then the command if it does not end by itself.
  private func end(_ child: SupervisedProcess, _ tests: [ProcessTree.Member], by number: Int32) {
    for test in tests { kill(test.process, number) }
    if case .ended = child.wait(atMost: 3) { return }
    for test in tests { kill(test.process, SIGKILL) }
    if case .ended = child.wait(atMost: 10) { return }
    for member in ProcessTree(below: child.process).members { kill(member.process, SIGKILL) }
    _ = child.wait(atMost: 10)
  }
}

/// Tests that were ended, and why.
private struct Stop {
  let processes: Set<UInt32>
  let reason: String

  init(_ tests: [ProcessTree.Member], _ reason: String) {
    processes = Set(tests.map { UInt32($0.process) })
    self.reason = reason
  }
}

/// The traces of test processes.
private struct TestTraces {
  private let folder: String
  private let keepsAll: Bool

  /// Prepares a folder.
  init(in folder: String?) throws(CommandEnd) {
    keepsAll = folder != nil
    if let folder {
      self.folder = FileSystem.absolute(folder)
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        throw CommandEnd(
          .unreadable, "cannot make the folder \(folder): \(String(cString: strerror(errno)))")
      }
    } else {
      let place = Environment["TMPDIR"] ?? "/tmp"
      var path = Array("\(place)/varve-test-XXXXXX".utf8CString)
      guard mkdtemp(&path) != nil else {
        throw CommandEnd(
          .unreadable, "cannot make a folder in \(place): \(String(cString: strerror(errno)))")
      }
      self.folder = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  /// The path of the traces, for the recorder.
  var pattern: String { "\(folder)/%p.varve" }

  /// Explains the traces of processes that did not end well, and removes the others unless all are
  /// kept.
  func explain(isQuiet: Bool, _ stop: Stop?) {
    var isEmpty = true
    for name in FolderListing.names(in: folder).filter({ $0.hasSuffix(".varve") }).sorted() {
      let path = "\(folder)/\(name)"
      let reader = try? TraceReader(path: path)
      let isWell = reader?.ending == .clean
      if isWell, !keepsAll {
        unlink(path)
        continue
      }
      isEmpty = false
      if !isWell {
        StandardOutput.write("\npostmortem of \(path)\n\n")
        let isStopped =
          reader.map { stop?.processes.contains($0.header.process.pid) == true } ?? false
        try? Postmortem.parse([path, "--no-pager", "-q"])
          .run(ofOneEnded: isStopped ? stop?.reason : nil)
      } else if !isQuiet {
        Messages.plain("varve: \(path)")
      }
    }
    if isEmpty, !keepsAll { rmdir(folder) }
  }
}
