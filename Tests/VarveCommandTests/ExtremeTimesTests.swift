import Testing
import VarveTraceScript

@Suite("Times at the ends of the clock")
struct ExtremeTimesTests {
  private let folder = TemporaryFolder()

  /// A sound trace of events at the first and the last tick there is.
  private func trace(anchor: UInt64, started: UInt64) throws -> String {
    var script = TraceScript()
    script.anchor = anchor
    script.process.started = started
    let stream = script.stream("prices")
    let queue = script.scheduler("queue")
    let edge: UInt64 = 1
    script.record(.subscribed, of: stream, .stream(0), ticks: 0, subscription: edge)
    let scheduled = script.record(.hopScheduled, of: queue, ticks: 1, subscription: 7)
    script.record(
      .hopBegan, of: queue, ticks: .max - 3, subscription: 7, causes: [scheduled])
    script.record(
      .value, of: stream, .integer(1), ticks: .max - 2, subscription: edge, back: 1)
    script.record(.hopEnded, of: queue, ticks: .max - 1, subscription: 7)
    let path = folder.file("extreme-\(anchor)-\(started).varve")
    try script.write(to: path)
    return path
  }

  @Test(
    "F2: no verb is brought down by events that lie as far from each other as ticks can",
    arguments: [0, 1 << 63, .max] as [UInt64], [0, .max] as [UInt64])
  func verbs(anchor: UInt64, started: UInt64) throws {
    let path = try trace(anchor: anchor, started: started)
    var commands = [
      ["verify", path], ["info", path], ["info", path, "--format", "json"], ["streams", path],
      ["streams", path, "--tree"], ["streams", path, "--open"], ["latency", path],
      ["postmortem", path], ["why", path, "1.4"], ["why", path, "1.4", "--format", "ndjson"],
      ["why-silent", path, "prices"], ["backtrace", path, "--event", "1.4"],
      ["replay", path, "--since", "50%", "--until", "100%"],
      ["replay", path, "--format", "ndjson"],
    ]
    for time in ["elapsed", "delta", "wall", "utc", "ticks"] {
      commands.append(["replay", path, "--time", time])
    }
    for form in ["text", "svg", "html", "rxjs"] {
      commands.append(["timeline", path, "--format", form])
    }
    for form in [
      "chrome", "perfetto", "otlp", "sqlite", "sql", "csv", "parquet", "ctf", "speedscope",
    ] {
      let output = folder.file("out.\(form)-\(anchor)-\(started)")
      commands.append(["export", path, "--format", form, "-o", output])
    }
    for command in commands {
      let run = try CommandRun(command)
      // 1: nothing was found; `prices` was not silent, for one.
      #expect(
        [0, 1].contains(run.status),
        "\(command.joined(separator: " ")): \(run.status) \(run.errors)")
    }
  }
}
