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

  private func expectSame(_ path: String) throws {
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
  }

  @Test("F1: both print every golden file alike, to the byte")
  func golden() throws {
    let golden = Self.tests.appendingPathComponent("VarveFormatTests/Golden").path
    let files = try FileManager.default.contentsOfDirectory(atPath: golden)
    #expect(!files.isEmpty)
    // Alone: what a sidecar adds is compared by itself.
    for file in files where file.hasSuffix(".varve") {
      let copy = folder.file(file)
      try FileManager.default.copyItem(atPath: "\(golden)/\(file)", toPath: copy)
      try expectSame(copy)
    }
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
    var last: RecordReference?
    let reals = [0, -0.0, 1, 0.1, 1e15, 1e16, 123456789012345680, 1e-4, 9.9e-5]
    let extremes = [.leastNonzeroMagnitude, .nan, .infinity, -.infinity, .pi, 1e300]
    for (index, real) in (reals + extremes).enumerated() {
      let ring = ([1] + threads)[index % 5]
      last = script.record(
        .value, of: stream, .real(real), at: Double(index / 3), ring: ring, back: 1,
        causes: last.map { [$0, RecordReference(ring: 99, sequence: 1)] } ?? [])
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
