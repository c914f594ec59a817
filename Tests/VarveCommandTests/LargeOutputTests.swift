import Foundation
import Testing
import VarveTraceScript

/// Output of many buffers, which another thread writes.
@Suite("Output that is larger than its buffers")
struct LargeOutputTests {
  private let folder = TemporaryFolder()
  private let trace: String

  private static let formats = ["chrome", "perfetto", "csv", "ndjson", "parquet", "sql", "otlp"]

  init() throws {
    trace = folder.file("shop.varve")
    var script = TraceScript()
    let keys = script.stream("keys")
    var last = script.value(keys, "first", at: 0.5)
    for index in 1...12_000 {
      let text = "\(index) \(index &* 2_654_435_761)"
      last = script.record(
        .value, of: keys, .string(text), at: Double(index), back: index % 3 == 0 ? 0 : 1,
        causes: index % 5 == 0 ? [last] : [])
    }
    try script.write(to: trace)
  }

  /// Runs a line of a shell, in which `$0` is the command and `$1` the trace.
  private func shell(_ line: String) throws -> CommandRun {
    try CommandRun(
      ["-c", line, CommandRun.command.path, trace], folder: folder.path, program: "/bin/bash")
  }

  @Test("a file, standard output and a pipe get the same bytes", arguments: formats)
  func alike(format: String) throws {
    let run = try shell(
      """
      "$0" export "$1" --format \(format) -o file && "$0" export "$1" --format \(format) > output &&
      "$0" export "$1" --format \(format) | cat > pipe && cmp file output && cmp file pipe &&
      test "$(stat -c %s file)" -gt 150000
      """)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test("a full disk is told, with status 3", arguments: formats)
  func full(format: String) throws {
    for target in ["--force -o /dev/full", "> /dev/full"] {
      let run = try shell("\"$0\" export \"$1\" --format \(format) \(target)")
      #expect(run.status == 3, "\(target)")
      #expect(run.errors.contains("No space left on device"), "\(target): \(run.errors)")
    }
  }

  @Test("a reader that goes away ends an export in silence", arguments: formats)
  func broken(format: String) throws {
    let run = try shell(
      """
      "$0" export "$1" --format \(format) | head -c 100 > /dev/null; echo "${PIPESTATUS[0]}"
      """)
    #expect(run.output == "0\n" && run.errors == "", "\(run.output)\(run.errors)")
  }

  @Test("a database for which there is no room is told, and nothing of it is left")
  func fullDatabase() throws {
    // Bash counts kibibytes; the command is told of the limit as of a full disk.
    let run = try shell(
      "trap '' XFSZ; ulimit -f 256; \"$0\" export \"$1\" --format sqlite -o shop.db")
    #expect(run.status == 3 && run.errors.contains("cannot write shop.db: "), "\(run.errors)")
    #expect(Set(folder.names) == ["shop.varve"])
  }
}
