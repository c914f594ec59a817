import Foundation
import Testing
import VarveFormat
import VarveProbe

/// `Tests/IndependentReader` was written from `Docs/Format.md` and shares no code with the library.
@Suite("A reader written from the document alone")
struct IndependentReaderTests {
  private static let tests = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The lines that the independent reader prints.
  private func read(_ path: String, with script: String = "read_trace.py") throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      // The reader of sidecars uses the other one; no trace of that is to stay beside it.
      "python3", "-B", Self.tests.appendingPathComponent("IndependentReader/\(script)").path, path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The lines that it should print, but for the header's and the definitions'.
  private func expected(_ reader: TraceReader) throws -> [String] {
    var lines: [String] = []
    for block in reader.blocks.indices { lines += try reader.columns(block).plainLines }
    lines += reader.losses.map {
      "loss \($0.ring) \($0.count) \($0.ticks.lowerBound) \($0.ticks.upperBound)"
    }
    lines += reader.time.anchors.dropFirst().map { "anchor \($0.ticks) \($0.monotonic)" }
    switch reader.ending {
    case .clean: lines.append("ended clean")
    case .killed: lines.append("ended killed")
    case .crashed(let signal, let ring, let counter):
      lines.append(
        "ended crashed \(signal) \(ring.map { "\($0)" } ?? "-") \(counter.map { "\($0)" } ?? "-")")
    case .running: break
    }
    return lines
  }

  private func expectSame(_ path: String) throws {
    let lines = try read(path)
    let facts = lines.filter { line in
      ["event", "loss", "anchor", "ended"].contains { line.hasPrefix($0 + " ") }
    }
    #expect(facts == (try expected(TraceReader(path: path))))
  }

  @Test("F1: the golden file says the same to both readers")
  func golden() throws {
    let path = Self.tests.appendingPathComponent("VarveFormatTests/Golden/format-1.0.varve").path
    try expectSame(path)
    let lines = try read(path)
    #expect(
      lines.first == """
        trace fedcba98765432100123456789abcdef /usr/bin/search host ['search', '--verbose'] 3 4711 \
        2600000000 1000 77 1700000000000000000
        """)
    #expect(
      lines.contains(
        """
        stream 12|[3, 4000000000]|login.user|pipe@Login.swift:3.map(_:)|map(_:)|Optional<String>|\
        App/Login.swift:70000|1311768467463790320|3
        """))
    #expect(lines.contains("scheduler 9|QueueScheduler(search)"))
    #expect(lines.contains("thread 6|7|com.example.worker ✓"))
  }

  @Test("F1: the golden file with processes says the same to both readers")
  func processes() throws {
    let path = Self.tests.appendingPathComponent("VarveFormatTests/Golden/format-1.7.varve").path
    try expectSame(path)
    let lines = try read(path)
    #expect(lines.contains("process 1|1700000000000000001|4711|/usr/bin/shop|ladentheke-ü"))
    #expect(lines.contains("process 2|1700000000000000002|4294967295|/usr/bin/till|"))
  }

  @Test("F1: what a crash has left says the same to both readers, the file and its sidecar")
  func crash() throws {
    let reader = try TraceReader(path: GoldenCrashTests.path)
    let inFile = try reader.blocks.indices.filter { reader.blocks[$0].offset != nil }
      .flatMap { try reader.columns($0).plainLines }
    let inRings = try reader.blocks.indices.filter { reader.blocks[$0].offset == nil }
      .flatMap { try reader.columns($0).plainLines }
    let file = try read(GoldenCrashTests.path)
    #expect(file.filter { $0.hasPrefix("event ") } == inFile)
    let sidecar = try read(GoldenCrashTests.path + "-live", with: "read_sidecar.py")
    #expect(sidecar.filter { $0.hasPrefix("event ") } == inRings)
    let told = (file + sidecar).filter { $0.hasPrefix("loss ") }
    #expect(
      told
        == reader.losses.map {
          "loss \($0.ring) \($0.count) \($0.ticks.lowerBound) \($0.ticks.upperBound)"
        })
    #expect(
      sidecar.filter { !$0.hasPrefix("event ") && !$0.hasPrefix("loss ") } == [
        "sidecar of fedcba98765432100123456789abcdef", "crashed 6 7 93824992231428",
        "struck|555555554004 555555555005 555555556006",
        "thread 7|107|late",
        "stack 70001|555555552001 555555553001",
        "stream 14|[12, 13]|late|pipe@B.swift:2|pipe|String|App/B.swift:2|70000|2|stack 70001",
        "ring 5|105|worker", "ring 6|106|", "ring 7|107|late ✓",
      ])
    #expect(file.contains("stack 70000|555555551234 7fffffffffff!"))
    #expect(
      file.contains("symbol 555555551233|closure #1 in run()|/src/shop/Run.swift|12|run()||0"))
  }

  @Test("F1: stacks, modules and symbols say the same to both readers")
  func stacks() throws {
    let folder = try TraceFolder()
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    try writer.append(definitions: DefinitionTests.stacks)
    try writer.finish(ending: .clean)
    let lines = try read(folder.path())
    #expect(
      lines.filter { line in
        ["stream", "stack", "module", "symbol"].contains { line.hasPrefix($0 + " ") }
      } == [
        "stream 13|[1]|pipe@A.swift:1.map(_:)|pipe@A.swift:1.map(_:)|map(_:)|Int|-|5|0|stack 70000",
        "stack 70000|555555551234 7fffffffffff!",
        "stack 1|",
        "module 1|555555550000|555555551000|555555560000|"
          + "000102030405060708090a0b0c0d0e0f10111213|/usr/bin/shop",
        "module 2|0|0|0||",
        "symbol 555555551233|closure #1 in run()|/src/shop/Run.swift|12|run()||0",
        "symbol ffffffffffffffff",
      ])
    let definitions = try TraceReader(path: folder.path()).definitions
    #expect(definitions.module(at: 0x5555_5555_1233)?.path == "/usr/bin/shop")
    #expect(definitions.module(at: 0x5555_5556_0000) == nil)
    #expect(definitions.symbols[0x5555_5555_1233]?.functions.count == 2)
    #expect(
      definitions.stacks[70_000]?.frames.map(\.lookup) == [0x5555_5555_1233, 0x7fff_ffff_ffff])
  }

  @Test("F1, T11: what kind each stream is of says the same to both readers")
  func kinds() throws {
    let path = Self.tests.appendingPathComponent("VarveFormatTests/Golden/format-1.1.varve").path
    try expectSame(path)
    let streams = try TraceReader(path: path).definitions.streams
    let told = try read(path).filter { $0.hasPrefix("stream ") }
    #expect(told.count == streams.count)
    for line in told {
      let fields = line.split(separator: "|")
      let stream = try #require(
        UInt32(fields[0].dropFirst("stream ".count)).flatMap { streams[$0] })
      let traits = fields.last.flatMap { $0.hasPrefix("traits ") ? $0.dropFirst(7) : nil }
      #expect(traits.flatMap { UInt32($0, radix: 16) } == stream.traits?.rawValue, "\(line)")
    }
  }

  @Test("F1: files of all sorts say the same to both readers", arguments: [1, 2, 3] as [UInt64])
  func others(seed: UInt64) throws {
    let folder = try TraceFolder()
    var random = Seeded(seed)
    let writer = try TraceWriter(creating: folder.path(), header: .sample())
    var sequence: UInt64 = 1
    for _ in 0..<6 {
      var records = RecordBytes(firstSequence: sequence)
      let streams = UInt32(1) << UInt32(random.next() % 10)
      for _ in 0..<(1 + random.next() % 1_500) {
        let word = random.next() >> (random.next() % 64)
        records.add(
          stream: UInt32(truncatingIfNeeded: word) % streams,
          ticks: sequence * 1_000 + records.count * (word % 3),
          back: UInt32(word % 5), subscription: word % 7,
          payload: word % 3 == 0
            ? .string("text \(word % 500)") : .word(.integer, word >> (word % 60)),
          far: word % 11 == 0 ? [word] : [])
      }
      try writer.append(records)
      sequence += records.count
    }
    try writer.finish(ending: .clean)
    try expectSame(folder.path())
  }
}

extension EventColumns {
  /// Each event as the independent reader prints it.
  fileprivate var plainLines: [String] {
    (0..<count).map { index in
      let text = heap[Int(textStarts[index])..<Int(textStarts[index + 1])]
        .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      let far = farCauses.filter { $0.index == index }
        .map { "\($0.cause.ring)/\($0.cause.sequence)" }.joined(separator: " ")
      let line = """
        event \(ring)/\(firstSequence + UInt64(index)) \
        \(ticks[index]) \(kinds[index]) \(streams[index]) \(subscriptions[index]) \
        \(backs[index]) \(payloadKinds[index]) \(words[index]) \(text) \(far)
        """
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
