#if os(Linux)
  import Glibc
  import Testing
  import VarveFormat
  import VarveProbe
  import VarveTraceScript

  @Suite("Memory of the command")
  struct MemoryTests {
    private let folder = TemporaryFolder()

    /// A trace of so many events, twenty streams in turn.
    private func trace(_ name: String, events: UInt64) throws -> String {
      let path = folder.file(name)
      let process = ProcessDescription(
        program: "/usr/bin/many", arguments: [], pid: 1, host: "h", started: 1)
      let writer = try TraceWriter(
        creating: path,
        header: TraceHeader(
          id: .random(), process: process, clock: .monotonic,
          anchor: ClockAnchor(ticks: 0, monotonic: 0)))
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
    private func peak(_ arguments: [String]) throws -> Int {
      var words = ([CommandRun.command.path] + arguments).map { strdup($0) } + [nil]
      defer { for word in words { free(word) } }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      var process: pid_t = 0
      try #require(posix_spawn(&process, words[0]!, &actions, nil, &words, environ) == 0)
      var status: Int32 = 0
      var usage = rusage()
      while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
      try #require(status == 0)
      return usage.ru_maxrss
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
  }
#endif
