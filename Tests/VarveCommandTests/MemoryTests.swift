#if os(Linux)
  import Testing
  import VarveFormat
  import VarveProbe
  import VarveTraceScript

  @Suite("Memory of the command")
  struct MemoryTests {
    private let folder = TemporaryFolder()

    private func writer(to path: String) throws -> TraceWriter {
      let process = ProcessDescription(
        program: "/usr/bin/many", arguments: [], pid: 1, host: "h", started: 1)
      return try TraceWriter(
        creating: path,
        header: TraceHeader(
          id: .random(), process: process, clock: .monotonic,
          anchor: ClockAnchor(ticks: 0, monotonic: 0)))
    }

    /// A trace of so many events, twenty streams in turn.
    private func trace(_ name: String, events: UInt64) throws -> String {
      let path = folder.file(name)
      let writer = try writer(to: path)
      let batch: UInt64 = 16_384
      var records = [UInt64](repeating: 0, count: Int(batch) * 5)
      for first in stride(from: 1, to: events, by: Int(batch)) {
        for index in 0..<batch {
          let number = first + index
          let place = Int(index) * 5
          let kind = UInt64(RecordKind.value.rawValue) << 8
          let payload = UInt64(PayloadKind.integer.rawValue) << 16
          records[place] = 5 | kind | payload | (1 + number % 20) << 32
          records[place + 1] = number * 100 + number % 7
          records[place + 2] = number & 0xffff_ffff
          records[place + 4] = number
        }
        try records.withUnsafeBytes {
          try writer.append(records: $0, ring: 1, firstSequence: first)
        }
      }
      try writer.finish(ending: .clean)
      return path
    }

    /// The most kilobytes that the command had resident.
    ///
    /// Another program starts it: the system counts what the one that starts a process has resident
    /// as the process's, and that is much in a test.
    private func peak(_ arguments: [String]) throws -> Int {
      let script = """
        import resource, subprocess, sys
        status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
        if status not in (0, 1, 4): sys.exit(status)
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        """
      let run = try CommandRun(
        ["python3", "-c", script, CommandRun.command.path] + arguments, program: "/usr/bin/env")
      let kilobytes = try #require(
        Int(run.output.filter(\.isNumber)), "\(arguments): \(run.output)\(run.errors)")
      try #require(run.status == 0)
      return kilobytes
    }

    @Test("F2: memory does not grow with the trace, whatever is asked of it")
    func bounded() throws {
      let small = try trace("small.varve", events: 50_000)
      let large = try trace("large.varve", events: 800_000)
      let verbs = [
        ["info"], ["replay"], ["streams"], ["verify"], ["replay", "--format", "ndjson"],
        ["timeline"], ["latency"], ["postmortem"],
      ]
      for verb in verbs {
        let least = try peak(verb + [small])
        let most = try peak(verb + [large])
        #expect(most < least + 6_000, "\(verb)")
      }
      let other = try trace("other.varve", events: 50_000)
      for verb in [["scrub"], ["repair"], ["merge", other]] {
        let verb = verb + ["-o", folder.file("out.varve"), "--force", "-q"]
        #expect(try peak(verb + [large]) < peak(verb + [small]) + 6_000, "\(verb)")
      }
      for format in [["otlp"], ["sqlite"], ["parquet"], ["parquet", "--partition"]] {
        let verb = ["export", "-q", "--force", "-o", folder.file(format.joined()), "--format"]
        let (least, most) = try (peak(verb + format + [small]), peak(verb + format + [large]))
        #expect(most < least + 6_000, "\(format): \(least), \(most)")
      }
    }

    /// A trace of nothing but definitions.
    private func trace(
      _ name: String, of definitions: some Sequence<TraceDefinition>
    ) throws -> String {
      let path = folder.file(name)
      let writer = try writer(to: path)
      try writer.append(definitions: definitions)
      try writer.finish(ending: .clean)
      return path
    }

    private static func stream(
      _ id: UInt32, name: String = "s", operation: String = "", parents: [UInt32] = []
    ) -> TraceDefinition {
      .stream(
        StreamDefinition(
          id: id, name: name, derivation: name, operation: operation, parents: parents, place: nil,
          valueType: "", born: 0))
    }

    /// What fills a mebibyte, and takes far more when it is unpacked and looked at.
    struct Filling: CustomTestStringConvertible, Sendable {
      var testDescription: String
      var definitions: @Sendable () -> AnySequence<TraceDefinition>
      var verbs: [[String]]

      init(
        _ name: String, _ count: UInt32, _ verbs: [[String]],
        _ definition: @escaping @Sendable (UInt32) -> TraceDefinition
      ) {
        testDescription = name
        definitions = { AnySequence((1...count).lazy.map(definition)) }
        self.verbs = verbs
      }
    }

    /// Verbs that only look, each with the options that let it keep most.
    private static let lookers =
      ["", " --tree", " --open", " --format ndjson", " --format csv"].map { "streams" + $0 }
      + ["info", "replay", "replay --format ndjson", "replay -n s*", "replay --downstream-of s"]
      + ["timeline", "timeline --format svg", "latency", "backtrace", "postmortem", "verify"]
      + ["diff SAME", "why-silent s", "query COUNTS"]
      + ["chrome", "perfetto", "otlp", "sqlite", "sql", "csv", "parquet", "folded", "dot"].map {
        "export -o OUT --force --format " + $0
      }

    /// Verbs that write another trace.
    private static let writers = ["repair", "scrub", "symbolicate", "merge", "merge SAME"].map {
      $0 + " -o TRACE --force -q"
    }

    private static func words(_ verbs: [String]) -> [[String]] {
      verbs.map { $0.split(separator: " ").map(String.init) }
    }

    static let fillings = [
      Filling("streams", 138_000, words(lookers + writers)) { stream($0) },
      Filling("a chain of streams", 100_000, words(["streams", "info"])) { id in
        stream(id, parents: [id - 1])
      },
      Filling("long names", 700, words(["streams", "replay"])) { id in
        stream(
          id, name: String(repeating: "n", count: 4_000),
          operation: String(repeating: "o", count: 4_000))
      },
      Filling("names of control characters", 1_000, words(["replay --format ndjson"])) { id in
        stream(id, name: String(repeating: "\u{1}", count: 8_000))
      },
      Filling("parents", 1_900, words(["info", "streams --tree", "streams --format csv"])) { id in
        stream(id, parents: Array(repeating: 1, count: 4_096))
      },
      Filling("symbols", 28_000, words(["info", "backtrace", "symbolicate -o TRACE --force -q"])) {
        let nothing = FunctionPlace(function: "")
        return .symbol(
          SymbolDefinition(address: UInt64($0), functions: Array(repeating: nothing, count: 64)))
      },
      Filling("stacks", 700, words(["info", "backtrace", "merge -o TRACE --force -q"])) { id in
        let frame = StackFrame(address: UInt64(id) << 12)
        return .stack(StackDefinition(id: id, frames: Array(repeating: frame, count: 1_000)))
      },
      Filling("modules", 100_000, words(["info", "backtrace", "merge -o TRACE --force -q"])) { id in
        .module(
          ModuleDefinition(id: id, path: "/m", buildID: [], bias: 0, addresses: 0..<UInt64(id)))
      },
      Filling("threads", 100_000, words(["info", "replay", "replay --format ndjson"])) { id in
        .thread(ThreadDefinition(ring: id, systemID: UInt64(id), name: "t"))
      },
      Filling("schedulers", 130_000, words(["info", "replay", "latency"])) { id in
        .scheduler(SchedulerDefinition(id: id, name: "q"))
      },
    ]

    /// What a verb had resident at most, in kilobytes.
    private func peak(_ verb: [String], of trace: String, and other: String = "") throws -> Int {
      let words = verb.map {
        [
          "OUT": folder.file("out"), "TRACE": folder.file("out.varve"), "SAME": trace,
          "COUNTS": "SELECT count(*) FROM stream_counts",
          "OTHER": other,
        ][$0] ?? $0
      }
      return try peak([words[0], trace] + words.dropFirst())
    }

    @Test(
      "F2: a hostile mebibyte takes no more than 64, whatever is asked of it", arguments: fillings)
    func full(of filling: Filling) throws {
      let none = try trace("none.varve", of: [Self.stream(1)])
      let full = try trace("full.varve", of: filling.definitions())
      let bytes = try TraceReader(path: full).bytes
      #expect(bytes > 700_000 && bytes < 1_100_000, "\(bytes)")
      for verb in filling.verbs {
        let least = try peak(verb, of: none)
        #expect(try peak(verb, of: full) < least + 65_536, "\(verb)")
      }
    }

    /// What needs little room in a file, and is more than can be remembered.
    struct Flood: CustomTestStringConvertible, Sendable {
      var testDescription: String
      var events: UInt64
      var verbs: [[String]]
      var record: @Sendable (UInt64) -> FloodedTrace.Record

      init(
        _ name: String, _ events: UInt64, _ verbs: [String],
        _ record: @escaping @Sendable (UInt64) -> FloodedTrace.Record
      ) {
        (testDescription, self.events, self.record) = (name, events, record)
        self.verbs = words(verbs)
      }
    }

    static let floods = [
      Flood(
        "observations", 450_000,
        ["postmortem", "streams --open", "why-silent s"]
      ) { FloodedTrace.Record(.subscribed, of: 1, subscription: $0, .stream, 0) },
      Flood("observations by as many streams", 250_000, ["postmortem"]) {
        FloodedTrace.Record(.subscribed, of: 1, subscription: $0, .stream, $0)
      },
      Flood(
        "work that waits", 300_000,
        ["latency", "postmortem --format ndjson", "backtrace --queued"]
      ) { FloodedTrace.Record(.hopScheduled, of: 1, subscription: $0) },
      Flood("work that runs", 300_000, ["postmortem"]) {
        FloodedTrace.Record(.hopBegan, of: 1, subscription: $0)
      },
      // All are given work before the first begins with it: it has waited for long.
      Flood("schedulers", 49_152, ["latency"]) { number in
        let (round, place) = (number - 1).quotientAndRemainder(dividingBy: 24_576)
        return FloodedTrace.Record(
          round == 0 ? .hopScheduled : .hopBegan, of: UInt32(place + 1), subscription: place + 1)
      },
      Flood("streams", 200_000, ["info --findings", "diff SAME"]) {
        FloodedTrace.Record(.value, of: UInt32($0))
      },
      Flood("values", 2_300_000, ["diff SAME", "diff OTHER"]) { _ in
        FloodedTrace.Record(.value, of: 1)
      },
      Flood("streams that differ", 65_536, ["diff OTHER"]) {
        FloodedTrace.Record(.value, of: UInt32($0))
      },
      Flood("streams that differ late", 655_360, ["diff OTHER"]) {
        FloodedTrace.Record(.value, of: UInt32(($0 - 1) % 4_096 + 1))
      },
    ]

    @Test("F2: a flood of events in less than a mebibyte takes no more than 64", arguments: floods)
    func flooded(by flood: Flood) throws {
      let none = try trace("none.varve", of: [Self.stream(1)])
      let (path, other) = (folder.file("flood.varve"), folder.file("other.varve"))
      try FloodedTrace.write(
        to: path, events: flood.events, definitions: [Self.stream(1)], flood.record)
      #expect(try TraceReader(path: path).bytes < 1 << 20)
      if flood.verbs.contains(where: { $0.contains("OTHER") }) {
        // The last events are failures.
        try FloodedTrace.write(to: other, events: flood.events, definitions: [Self.stream(1)]) {
          var record = flood.record($0)
          if $0 + 65_536 > flood.events { record.kind = .failed }
          return record
        }
      }
      for verb in flood.verbs {
        let least = try peak(verb, of: none, and: none)
        let most = try peak(verb, of: path, and: other)
        #expect(most < least + 65_536, "\(verb): \(most - least) kB")
      }
    }

    @Test("F2: what was passed over of a flood is told, and nothing where all was remembered")
    func told() throws {
      let (few, many) = (folder.file("few.varve"), folder.file("many.varve"))
      for (path, events) in [(few, 60_000), (many, 300_000)] {
        try FloodedTrace.write(to: path, events: UInt64(events)) {
          FloodedTrace.Record(.hopScheduled, of: 1, subscription: $0)
        }
      }
      let sentence = "records of schedulers' work passed over"
      for verb in ["latency", "postmortem"] {
        let complete = try CommandRun([verb, few])
        #expect(!complete.errors.contains(sentence), "\(complete.errors)")
        #expect(complete.output.contains("65,536"), "\(complete.output)")
      }
      let cut = try CommandRun(["latency", many])
      #expect(cut.errors.contains(sentence), "\(cut.errors)")
      #expect(try !CommandRun(["latency", many, "-q"]).errors.contains(sentence))
    }
  }
#endif
