import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// `Tests/IndependentReader` was written from `Docs/Format.md` and shares no code with the command.
@Suite("A replay written from the document alone")
struct IndependentReplayTests {
  private let folder = TemporaryFolder()

  private static let tests = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()

  /// - Returns: what both print.
  @discardableResult
  private func expectSame(_ path: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let script = Self.tests.appendingPathComponent("IndependentReader/replay_ndjson.py").path
    process.arguments = ["python3", "-B", script, path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let theirs = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let ours = try CommandRun(["replay", path, "--format", "ndjson", "-q"]).output
    #expect(!theirs.isEmpty)
    #expect(Data(ours.utf8) == theirs)
    return theirs
  }

  @Test("F1: both print every golden file alike, to the byte")
  func golden() throws {
    let golden = Self.tests.appendingPathComponent("VarveFormatTests/Golden").path
    let files = try FileManager.default.contentsOfDirectory(atPath: golden)
    #expect(files.contains("format-1.0-crash.varve-live"))
    for file in files where file.hasSuffix(".varve") {
      let copy = folder.file(file)
      try FileManager.default.copyItem(atPath: "\(golden)/\(file)", toPath: copy)
      let alone = try expectSame(copy)
      guard files.contains(file + "-live") else { continue }
      try FileManager.default.copyItem(atPath: "\(golden)/\(file)-live", toPath: "\(copy)-live")
      let whole = try expectSame(copy)
      // Otherwise both may have overlooked it.
      #expect(whole.count > alone.count)
    }
  }

  @Test("F1: both take a ring's word, and a thread's without one, for threads that nothing defines")
  func undefinedThreads() throws {
    let golden = Self.tests
      .appendingPathComponent("VarveFormatTests/Golden/format-1.0-crash.varve").path
    let copy = folder.file("crash.varve")
    try FileManager.default.copyItem(atPath: golden, toPath: copy)
    var sidecar = try Data(contentsOf: URL(fileURLWithPath: "\(golden)-live"))
    func put(_ bytes: [UInt8], at offset: Int) {
      sidecar.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    // The log of definitions comes first of the regions: its head back to the beginning.
    put([UInt8](repeating: 0, count: 8), at: 32_768 + 128)
    try sidecar.write(to: URL(fileURLWithPath: "\(copy)-live"))
    let rings = try String(decoding: expectSame(copy), as: UTF8.self)
    #expect(rings.contains(#""thread":"late ✓","#))

    // One thread without a ring: ring 9, thread 90, which has lost a record and bears the same name.
    put([1], at: 72)
    put([1], at: 4_096)
    put([1], at: 4_096 + 8)
    put([90], at: 4_096 + 32)
    put([9], at: 4_096 + 40)
    put(Array("late ✓".utf8), at: 4_096 + 48)
    try sidecar.write(to: URL(fileURLWithPath: "\(copy)-live"))
    let both = try String(decoding: expectSame(copy), as: UTF8.self)
    #expect(both.contains(#""thread":"late ✓ 107","#))
  }

  @Test("F1: both name the tasks that records concern, to the byte")
  func taskNames() throws {
    var script = TraceScript()
    let executor = script.scheduler("executor")
    let worker = script.thread("worker", ring: 2)
    script.taskTemplate(1)
    script.taskTemplate(2, .groupChild, name: "fetch \"é\"")
    for task in [1, 2] as [UInt64] {
      script.record(
        .taskCreated, of: 0, .made(TaskCreationPayload(template: UInt32(task), creator: 0)),
        at: Double(task), subscription: task)
      let run = TaskRunPayload(task: task, priority: 25)
      let begun = script.record(
        .hopBegan, of: executor, .task(run), at: Double(task), ring: worker, subscription: task)
      let end = TaskAwaitPayload(awaited: TaskAwait.nothing.rawValue, number: 0)
      script.record(
        .hopEnded, of: executor, .awaited(end), at: Double(task), ring: worker, subscription: task,
        causes: [begun])
      script.record(.errorThrown, of: 0, .typeOnly("E"), at: 3, subscription: task)
    }
    script.record(.taskCancelled, of: 0, at: 4, subscription: 2)
    let path = folder.file("tasks.varve")
    try script.write(to: path, blockEvents: 2)
    let lines = try String(decoding: expectSame(path), as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.hasSuffix(#","task_name":"fetch \"é\""}"#) } == 5)
    #expect(lines.count == 9)
  }

  @Test("F1: both print traces of all sorts alike, to the byte")
  func others() throws {
    let search = folder.file("search.varve")
    try SearchTrace().script.write(to: search, blockEvents: 7)
    try expectSame(search)

    var script = TraceScript()
    let stream = script.stream("odd \"name\"\u{1b}é\\")
    let queue = script.scheduler("queue\n")
    let threads = ["main", "twin", "twin", ""].enumerated().map {
      script.thread($1, ring: UInt32($0 + 2))
    }
    var last: EventName?
    let reals = [0, -0.0, 1, 0.1, 1e15, 1e16, 123456789012345680, 1e-4, 9.9e-5]
    let extremes = [.leastNonzeroMagnitude, .nan, .infinity, -.infinity, .pi, 1e300]
    for (index, real) in (reals + extremes).enumerated() {
      let ring = ([1] + threads)[index % 5]
      last = script.record(
        .value, of: stream, .real(real), at: Double(index / 3), ring: ring, back: 1,
        causes: last.map { [$0, EventName(ring: 99, sequence: 1)] } ?? [])
    }
    let bytes: [UInt8] = [0x22, 0x5c, 8, 12, 10, 9, 13, 0x7f, 0xc2, 0x85, 0xe2, 0x82, 0x41, 0xff]
    script.record(.value, of: stream, .rawString(bytes), at: 20)
    script.record(.value, of: stream, .bytes(bytes), at: 20)
    script.record(.value, of: 99, .unsigned(.max), at: 21)
    script.record(.value, of: stream, .integer(.min), at: 21)
    script.record(.value, of: stream, .boolean(true), at: 21, subscription: 1 << 40)
    script.record(.log, of: 0, .description("…"), at: 22)
    script.record(.value, of: stream, .typeOnly("Card"), at: 22, ring: 77)
    script.record(.absorbed, of: stream, .reason(99), at: 23)
    script.record(.ended, of: stream, .reason(4), at: 24)
    script.record(.hopBegan, of: queue, at: 25, subscription: 3)
    script.record(.hopEnded, of: 5, at: 25, subscription: 3)
    for payload in [.unit, .null, .withheld, .absent, .stream(7)] as [ScriptedPayload] {
      script.record(.value, of: stream, payload, at: 26)
    }
    let odd = folder.file("odd.varve")
    try script.write(to: odd, blockEvents: 5)
    try expectSame(odd)
  }
}
