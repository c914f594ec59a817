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
        subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
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
      ]
      for verb in verbs {
        let least = try peak(verb + [small])
        let most = try peak(verb + [large])
        #expect(most < least + 6_000, "\(verb)")
      }
      let out = folder.file("out.varve")
      let verb = ["scrub", "-o", out, "--force", "-q"]
      #expect(try peak(verb + [large]) < peak(verb + [small]) + 6_000)
    }

    /// A trace of nothing but streams.
    private func streams(_ name: String, count: UInt32) throws -> String {
      let path = folder.file(name)
      let writer = try writer(to: path)
      try writer.append(
        definitions: (0..<count).lazy.map { id in
          .stream(
            StreamDefinition(
              id: id, name: "s", derivation: "", operation: "", parents: [], place: nil,
              valueType: "", born: 0))
        })
      try writer.finish(ending: .clean)
      return path
    }

    @Test("F2: a mebibyte full of streams takes no more than 64")
    func manyStreams() throws {
      let none = try streams("none.varve", count: 1)
      let many = try streams("many.varve", count: 138_000)
      let bytes = try TraceReader(path: many).bytes
      #expect(bytes > 900_000 && bytes < 1_100_000, "\(bytes)")
      let out = folder.file("out.varve")
      for verb in [["info"], ["verify"], ["repair", "-o", out, "--force", "-q"]] {
        let least = try peak(verb + [none])
        #expect(try peak(verb + [many]) < least + 65_536, "\(verb)")
      }
    }
  }
#endif
