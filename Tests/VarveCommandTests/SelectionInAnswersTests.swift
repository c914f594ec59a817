import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// The flags that select events, in verbs whose answers are not lists of all events.
@Suite("Selection in verbs that answer a question")
struct SelectionInAnswersTests {
  private let folder = TemporaryFolder()
  private let trace: String

  /// Two streams, each of which gives work to a scheduler of two threads. Of each, one piece ran and
  /// one was never begun.
  init() throws {
    var script = TraceScript()
    let queue = script.scheduler("QueueScheduler(search)")
    let store = script.thread("store", ring: 2)
    let network = script.thread("network", ring: 3)
    let keys = script.stream("keys", line: 12)
    let query = script.stream("query", "map(_:)", from: [keys], line: 14)
    let icons = script.stream("icons", line: 20)
    let pictures = script.stream("pictures", line: 31)
    _ = script.subscribe(keys, to: query, at: 0.5)
    var hop: UInt64 = 0
    for (stream, ring, time) in [(query, store, 10.0), (icons, network, 20.0)] {
      if stream == query { script.value(keys, "k", at: time) }
      script.value(stream, "v", at: time + 1, back: stream == query ? 1 : 0)
      hop += 1
      let given = script.record(
        .hopScheduled, of: queue, at: time + 2, subscription: hop, back: 1)
      script.record(
        .hopBegan, of: queue, at: time + 3, ring: ring, subscription: hop, causes: [given])
      script.value(pictures, "p\(hop)", at: time + 4, ring: ring, back: 1)
      script.record(.hopEnded, of: queue, at: time + 5, ring: ring, subscription: hop)
      hop += 1
      script.value(stream, "w", at: time + 6)
      script.record(.hopScheduled, of: queue, at: time + 7, subscription: hop, back: 1)
    }
    trace = folder.file("answers.varve")
    try script.write(to: trace)
  }

  private func lines(_ arguments: [String]) throws -> [Substring] {
    try CommandRun(arguments + ["--format", "ndjson"]).output.split(separator: "\n")
  }

  @Test("latency counts the work of the streams, threads and events that were chosen")
  func latency() throws {
    func work(_ flags: [String], is count: Int) throws -> Bool {
      let run = try CommandRun(["latency", trace] + flags + ["--format", "ndjson"])
      return run.status == 0 && run.output.contains("\"work\":\(count),")
    }
    #expect(try work([], is: 4))
    #expect(try work(["-n", "icons"], is: 2))
    #expect(try work(["-x", "icons"], is: 2))
    #expect(try work(["--thread", "network"], is: 1))
    #expect(try work(["--subscription", "1"], is: 1))
    #expect(try work(["--where", "value == \"v\" && name == \"query\""], is: 1))
    #expect(try CommandRun(["latency", trace, "-n", "pictures"]).status == 1)
    #expect(try CommandRun(["latency", trace, "-n", "picture"]).errors.contains("nearest: \"pict"))
  }

  @Test("backtrace shows the threads, and the waiting work, that were chosen")
  func backtrace() throws {
    #expect(try lines(["backtrace", trace]).count == 3)
    #expect(try lines(["backtrace", trace, "--thread", "st*"]).count == 1)
    #expect(try lines(["backtrace", trace, "--head", "1", "--tail", "1"]).count == 2)
    #expect(try lines(["backtrace", trace, "--queued"]).count == 2)
    #expect(try lines(["backtrace", trace, "--queued", "-n", "icons"]).count == 1)
    #expect(try lines(["backtrace", trace, "--queued", "--until", "+18ms"]).count == 1)
    #expect(try CommandRun(["backtrace", trace, "--queued", "-n", "pictures"]).status == 1)
  }

  @Test("why shows the steps that were chosen, the event, and where all began")
  func why() throws {
    func steps(_ flags: [String]) throws -> Int {
      // The line most worth reading is none of the steps.
      try lines(["why", trace, "2.2"] + flags).count { !$0.contains("\"marked\"") }
    }
    #expect(try steps([]) == 4)
    #expect(try steps(["-n", "keys"]) == 2)
    #expect(try steps(["--thread", "store"]) == 2)
    #expect(try steps(["--head", "1"]) == 2)
    let text = try CommandRun(["why", trace, "2.2", "--head", "1"]).output
    #expect(text.contains("#1.2 came from outside all streams"), "\(text)")
  }

  @Test("why-silent shows the places of the streams that were chosen")
  func whySilent() throws {
    let all = try CommandRun(["why-silent", trace, "query"]).output
    #expect(try CommandRun(["why-silent", trace, "query", "-n", "*"]).output == all)
    #expect(try CommandRun(["why-silent", trace, "query", "-n", "nosuch*"]).status != 0)
  }

  @Test("postmortem speaks of the threads and streams that were chosen")
  func postmortem() throws {
    let network = try CommandRun(["postmortem", trace, "--thread", "network"]).output
    #expect(network.contains("3 (network)\n") && !network.contains("  2 (store)\n"), "\(network)")
    let icons = try CommandRun(["postmortem", trace, "-n", "icons"]).output
    #expect(icons.contains("never ran: 1\n") && !icons.contains(" keys "), "\(icons)")
    let subjects = try lines(["postmortem", trace, "--thread", "network"])
      .filter { $0.contains("\"subject\":\"thread\"") }
    #expect(subjects.count == 1, "\(subjects)")
    #expect(try CommandRun(["postmortem", trace, "-n", "icon"]).errors.contains("nearest"))
  }
}
