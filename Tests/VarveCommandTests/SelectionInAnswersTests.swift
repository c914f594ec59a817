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

  @Test("info tells how much was chosen, lists those threads, and speaks of those findings")
  func info() throws {
    let query = try CommandRun(["info", trace, "-n", "query", "-k", "value"]).output
    #expect(
      query.contains("\n  chosen    2 events of 1 stream on 1 thread, from 11 ms to 16 ms\n"),
      "\(query)")
    #expect(try !CommandRun(["info", trace]).output.contains("chosen"))
    let object = try CommandRun(["info", trace, "--thread", "store", "--format", "ndjson"]).output
    #expect(
      object.hasSuffix(
        "\"chosen\":{\"events\":3,\"streams\":1,\"threads\":1,\"first_ns\":13000000,"
          + "\"last_ns\":15000000}}\n"), "\(object)")
    let csv = try CommandRun(["info", trace, "--format", "csv"]).output.split(separator: "\r\n")
    #expect(csv.count == 2 && csv[0].hasPrefix("format_version,program,"), "\(csv)")
    let threads = try lines(["info", trace, "--threads", "-n", "pictures"])
    #expect(threads.count == 2 && threads[0].hasPrefix("{\"thread\":\"2\",\"name\":\"store\""))
    let nothing = try CommandRun(["info", trace, "-n", "keys", "-k", "failed"])
    #expect(nothing.status == 1 && nothing.errors.contains("no event matches"))
  }

  @Test("tasks are chosen by their names and by the events that ended their last runs")
  func tasks() throws {
    var script = TraceScript()
    let executor = script.scheduler("global executor")
    let other = script.thread("other", ring: 2)
    for (task, name) in [(UInt32(1), "load"), (2, "save"), (3, "sort")] {
      script.taskTemplate(task, name: name, stack: 0)
      let (number, time) = (UInt64(task), Double(task) * 10)
      let made = TaskCreationPayload(template: task, creator: 0)
      script.record(.taskCreated, of: 0, .made(made), at: time, subscription: number)
      script.record(
        .hopScheduled, of: executor, .cause(HopPayload(stack: 0, parent: 0)), at: time + 1,
        subscription: number)
      let ring = task == 3 ? other : 1
      script.record(
        .hopBegan, of: executor, .task(TaskRunPayload(task: number, priority: 25)), at: time + 2,
        ring: ring, subscription: number)
      let end = TaskAwaitPayload(awaited: TaskAwait.continuation.rawValue, number: 0, stack: 0)
      script.record(
        .hopEnded, of: executor, .awaited(end), at: time + 3, ring: ring, subscription: number)
    }
    let tasks = folder.file("tasks.varve")
    try script.write(to: tasks)
    func names(_ flags: [String]) throws -> [String] {
      try lines(["tasks", tasks] + flags).map { line in
        ["load", "save", "sort"].first { line.contains("\"\($0)\"") } ?? String(line)
      }
    }
    #expect(try names([]) == ["load", "save", "sort"])
    #expect(try names(["-n", "s*"]) == ["save", "sort"])
    #expect(try names(["-n", "/^S/", "-i"]) == ["save", "sort"])
    #expect(try names(["-x", "save"]) == ["load", "sort"])
    #expect(try names(["--thread", "other"]) == ["sort"])
    #expect(try names(["--since", "+20ms", "-n", "*a*"]) == ["save"])
    #expect(try names(["--head", "1"]) == ["load"])
    #expect(try names(["--scheduler", "global*", "--tail", "1"]) == ["sort"])
    #expect(try names(["-k", "value"]).isEmpty)
    let process = try CommandRun(["tasks", "1", "--thread", "main"])
    #expect(process.status == 2 && process.errors.contains("--thread is about the events"))
  }

  @Test("G5: an answer about nothing that is there says so, and shows nothing else")
  func nothing() throws {
    let latency = try CommandRun(["latency", trace, "-n", "nosuch"])
    #expect(latency.status == 1 && latency.output.isEmpty && latency.errors.contains("nosuch"))
    let streams = try CommandRun(["streams", trace, "--since", "+100s"])
    #expect(streams.errors.contains("no stream has an event in that time"), "\(streams.errors)")
    #expect(try CommandRun(["streams", trace, "--since", "+10ms"]).errors.isEmpty)
  }

  @Test("K4: a task tells its executor, and awaits it until it runs there")
  func executors() throws {
    var script = TraceScript()
    let executor = script.scheduler("main actor")
    script.taskTemplate(1, name: "draw", stack: 0)
    let made = TaskCreationPayload(template: 1, creator: 0)
    script.record(.taskCreated, of: 0, .made(made), at: 1, subscription: 1)
    script.record(
      .hopScheduled, of: executor, .cause(HopPayload(stack: 0, parent: 0)), at: 1, subscription: 1)
    let tasks = folder.file("tasks.varve")
    try script.write(to: tasks)
    let waiting = try lines(["tasks", tasks, "--awaiting", "actor"])
    #expect(waiting.count == 1 && waiting[0].contains(#""executor":"main actor","#))
    #expect(waiting.first?.contains(#""awaiting":"actor""#) == true)
    #expect(try CommandRun(["tasks", tasks]).output.contains("  on main actor"))
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
