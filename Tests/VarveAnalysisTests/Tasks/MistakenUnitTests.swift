import Testing
import VarveAnalysis
import VarveTraceScript

/// Guesses about times that are handed over in a wrong unit.
@Suite("Suspicions about units of time")
struct MistakenUnitTests {
  private let folder = TemporaryFolder()

  private func waiting(_ line: String, above: String, over nanoseconds: Double) throws
    -> TaskScript
  {
    var script = try TaskScript(
      ["func pause(delay: TimeInterval, seconds: Double) async {", above, line, "}"], in: folder)
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.end(1, .continuation, at: 2, stack: 22)
    script.schedule(1, at: 2 + nanoseconds)
    script.begin(1, at: 2 + nanoseconds)
    return script
  }

  /// The lines that are told of a task that waits in line 3, for being too short and too long.
  private func told(_ line: String, above: String = "") throws -> [[UInt32]] {
    let script = try waiting(line, above: above, over: 5)
    return [try script.linesMarked(.storm), try script.linesMarked(.backlog)]
  }

  @Test(
    "G1: a time that is waited for in another unit than its name says is told",
    arguments: [
      "Task.sleep(nanoseconds: UInt64(seconds * 1_000_000))",
      "Task.sleep(nanoseconds: UInt64(delay * 1_000_000))",
      "Task.sleep(nanoseconds: UInt64(seconds) * NSEC_PER_MSEC)",
      "Task.sleep(nanoseconds: UInt64(max(0, self.backoff.seconds)))",
      "Task.sleep(nanoseconds: delayMilliseconds * 1_000)",
      "Task.sleep(nanoseconds: retryMs * 1000)", "Task.sleep(nanoseconds: milliSeconds * 1000)",
      "Task.sleep(for: .milliseconds(retry_after_secs))", "Task.sleep(for: .milliseconds(seconds))",
      "clock.sleep(for: Duration.seconds(minutes))", "hold(for: 2, seconds: config.minutes)",
      "hold(.milliseconds(seconds)) { try await load() }",
    ])
  func short(wait: String) throws {
    #expect(try told("try await " + wait) == [[3], []])
  }

  @Test(
    "G1: a time that becomes longer because of its unit is told",
    arguments: [
      "Task.sleep(nanoseconds: milliseconds * 1_000_000_000)",
      "Task.sleep(for: .seconds(settings.timeoutMillis))", "pause(seconds: delayMs)",
      "Task.sleep(nanoseconds: UInt64(pauseMicroseconds * 1e6))",
    ])
  func long(wait: String) throws {
    #expect(try told("try await " + wait) == [[], [3]])
    let script = try waiting("try await " + wait, above: "", over: 200)
    let slow = try script.with {
      TaskSuspicions($0, Symbolizer($0.definitions, looksUp: false)).slow()
    }
    #expect(slow.count == 1)
  }

  @Test(
    "G1: a time in the right unit is not told, nor one of which no name says it",
    arguments: [
      "Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))",
      "Task.sleep(nanoseconds: UInt64(seconds * 1_000) * 1_000_000)",
      "Task.sleep(nanoseconds: UInt64(delay * Double(NSEC_PER_SEC)))",
      "Task.sleep(nanoseconds: milliseconds * 1_000_000)",
      "Task.sleep(nanoseconds: UInt64(1_000_000_000 / framesPerSecond))",
      "Task.sleep(nanoseconds: UInt64(1_000_000 / seconds))",
      "Task.sleep(nanoseconds: seconds * unit)", "Task.sleep(nanoseconds: 2_000_000)",
      "Task.sleep(for: .seconds(seconds * 2))", "Task.sleep(for: .seconds(ms / 1000))",
      "Task.sleep(for: .seconds(minutes * 60))", "Task.sleep(for: .milliseconds(Int(delay * 1e3)))",
      "Task.sleep(for: .milliseconds(delayIn(seconds: 2)))", "pause(seconds: 0.5)",
      "Task.sleep(for: isLong ? .seconds(seconds) : .milliseconds(milliseconds))",
      "load(items * 1_000_000)", "scan(seconds: microscope)", "wait(seconds: items)",
    ])
  func right(wait: String) throws {
    #expect(try told("try await " + wait) == [[], []])
  }

  @Test("G1: a constant in a wrong unit is told where it is made, if it is what is waited for")
  func constants() throws {
    let wait = "try await Task.sleep(nanoseconds: nanoseconds)"
    #expect(try told(wait, above: "let nanoseconds = UInt64(seconds * 1_000_000)") == [[2], []])
    #expect(try told(wait, above: "let nanoseconds = UInt64(seconds * 1_000_000_000)") == [[], []])
    #expect(try told(wait, above: "let time = UInt64(seconds * 1_000_000)") == [[], []])
  }
}
