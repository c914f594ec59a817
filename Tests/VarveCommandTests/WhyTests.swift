import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("varve why")
struct WhyTests {
  private let folder = TemporaryFolder()
  private let trace: String

  /// A key that becomes a query, is searched for on another thread, and joins a filter.
  init() throws {
    var script = TraceScript()
    let keys = script.stream("keys", line: 12)
    let upper = script.stream("keys.map(_:)", "map(_:)", from: [keys], derived: true)
    let filters = script.stream("filters", line: 20)
    let result = script.stream("results", "combineLatest", from: [upper, filters], line: 31)
    let queue = script.scheduler("QueueScheduler(search)")
    let worker = script.thread("worker", ring: 2)
    let filter = script.value(filters, "all", at: 1)
    let key = script.value(keys, "v", at: 100)
    let scheduled = script.record(.hopScheduled, of: queue, at: 101, subscription: 7, back: 1)
    _ = script.record(
      .hopBegan, of: queue, at: 103.5, ring: worker, subscription: 7, causes: [scheduled])
    script.record(
      .value, of: upper, .string("V"), at: 104, ring: worker, back: 1, causes: [key])
    script.record(
      .value, of: result, .string("V in all"), at: 105, ring: worker, back: 1, causes: [filter])
    trace = folder.file("why.varve")
    try script.write(to: trace)
  }

  @Test("tells the way back over threads, hops and joins, each step with its place")
  func text() throws {
    let run = try CommandRun(["why", trace, "results"])
    #expect(run.status == 0)
    #expect(
      run.output == """
        #2.3  results "V in all"

        ▸ Shop.swift:31  results joined it with #1.1 "all", 104 ms old

        #2.3  0.105000 s  worker  results "V in all"           Shop.swift:31
        #1.1  0.001000 s  main    ┬ filters "all", 104 ms old  Shop.swift:20
        #2.2  0.104000 s  worker  ….map(_:) "V"
        #2.1  0.103500 s  worker  QueueScheduler(search) began work after 2.50 ms, given to it by #1.3 on main
        #1.2  0.100000 s  main    keys "v"                     Shop.swift:12

        #1.2 came from outside all streams, on thread main.
        From which code, the trace does not say: record with senders=yes to know.

        """)
    #expect(try CommandRun(["why", trace, "#2.3"]).output == run.output)
    #expect(try CommandRun(["why", trace, "2.3"]).output == run.output)
  }

  @Test("of a long trace the step most worth reading is not looked for, which is said")
  func long() throws {
    let long = folder.file("long.varve")
    // Blocks of a hundred bytes stand for more events than are read without a request.
    try ConstantTrace.write(to: long, blocks: 700, events: 16_384)
    let run = try CommandRun(["why", long, "1.4"])
    #expect(run.status == 0)
    #expect(run.errors.contains("was not looked for among 11468800 events; this does: "))
    #expect(run.errors.hasSuffix("varve why \(long) 1.4 --mark\n"), "\(run.errors)")
    let unmarked = try CommandRun(["why", long, "1.4", "--no-mark"])
    #expect(!unmarked.errors.contains("looked for"), "\(unmarked.errors)")
    #expect(try !CommandRun(["why", trace, "2.3", "--no-mark"]).output.contains("▸"))
  }

  @Test("G4: it ends in the code that sent, or says why that is not known")
  func sender() throws {
    for (places, expected) in [
      (
        [("Keyboard.press()", 12), ("main", 40)],
        """
        #1.1 came from outside all streams, on thread main:
          Keyboard.press() at Shop.swift:12
          main at Shop.swift:40

        """
      ),
      (
        [],
        """
        #1.1 came from outside all streams, on thread main, and no frame of the stack there is the program's own.

        """
      ),
    ] {
      var script = TraceScript()
      let keys = script.stream("keys")
      let stack = places.indices.map { 0x1000 + 16 * UInt64($0) }
      for (address, place) in zip(stack, places) {
        script.code(address, place.0, line: UInt32(place.1))
      }
      script.stack(1, stack.isEmpty ? [0x9000] : stack)
      let key = script.value(keys, "v", at: 1)
      script.record(.sent, of: keys, .cause(HopPayload(stack: 1, parent: 0)), at: 1, causes: [key])
      try script.write(to: trace)
      let run = try CommandRun(["why", trace, "#1.1"])
      #expect(run.status == 0)
      #expect(run.output.hasSuffix("\n" + expected), "\(run.output)")
    }
  }

  @Test("B4: of what came on a queue, it says how to record who used that")
  func queue() throws {
    for (isFollowed, isTold) in [(false, true), (true, false)] {
      var script = TraceScript()
      let keys = script.stream("keys")
      script.code(0x1000, "Keyboard.press()", line: 12)
      script.stack(1, [0x1000, 0x7010])
      script.module(1, "/usr/lib/swift/linux/libdispatch.so", 0x7000..<0x8000)
      if isFollowed { script.module(2, "/usr/lib/libVarveHops.so", 0x8000..<0x9000) }
      let key = script.value(keys, "v", at: 1)
      script.record(.sent, of: keys, .cause(HopPayload(stack: 1, parent: 0)), at: 1, causes: [key])
      try script.write(to: trace)
      let run = try CommandRun(["why", trace, "#1.1"])
      #expect(run.output.contains("  Keyboard.press() at Shop.swift:12\n"), "\(run.output)")
      let told = "A Dispatch queue ran it. Who gave it to the queue: record with varve run --hops"
      #expect(run.output.contains(told) == isTold, "\(run.output)")
    }
  }

  @Test("its NDJSON has the keys of replay and what is its own")
  func json() throws {
    let run = try CommandRun(["why", trace, "2.3", "--format", "ndjson"])
    let lines = try run.output.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let steps = lines.dropLast()
    #expect(lines.last?["marked"] as? String == "Shop.swift:31")
    #expect(lines.last?["event"] as? String == "2.3")
    #expect(steps[1]["age_ns"] as? Int == 104_000_000)
    #expect(steps.compactMap { $0["event"] as? String } == ["2.3", "1.1", "2.2", "2.1", "1.2"])
    #expect(steps.compactMap { $0["depth"] as? Int } == [0, 1, 0, 0, 0])
    #expect(steps[0]["causes"] as? [String] == ["2.2", "1.1"])
    #expect(steps[0]["place"] as? String == "Shop/Shop.swift:31")
    #expect(steps[3]["waited_ns"] as? Int == 2_500_000)
    #expect(steps[3]["given_by"] as? String == "1.3")
    let replayed = try CommandRun(["replay", trace, "--format", "ndjson"]).output
      .split(separator: "\n").map {
        try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    let own: Set = [
      "depth", "place", "waited_ns", "age_ns", "given_by", "task", "task_name", "awaited",
      "runs_left_out",
    ]
    for step in steps {
      let same = try #require(replayed.first { $0["event"] as? String == step["event"] as? String })
      let common = step.filter { !own.contains($0.key) }
      #expect(common as NSDictionary == same as NSDictionary)
      #expect(Set(step.keys).isSuperset(of: own))
    }
  }

  @Test("an event or a stream that is not there is told")
  func missing() throws {
    let event = try CommandRun(["why", trace, "#1.7"])
    #expect(event.status == 2)
    #expect(
      event.errors.contains("there is no event #1.7; the trace has #1.1 to #1.3 of that thread"))
    let stream = try CommandRun(["why", trace, "reslts"])
    #expect(stream.status == 1)
    #expect(
      stream.errors == "varve: no stream matches \"reslts\"; nearest: \"results\"; all streams: "
        + "varve streams \(trace) --tree\n")
  }
}
