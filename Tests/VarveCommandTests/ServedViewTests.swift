import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// The viewer's server: what it answers, and to whom.
@Suite("The viewer's server")
struct ServedViewTests {
  private let folder = TemporaryFolder()

  private func script(_ text: String = "k") -> TraceScript { ViewedScript.keystrokes(text) }

  private func served(
    _ script: TraceScript, ending: TraceEnding = .clean, _ options: String...
  ) throws -> ServedView {
    let path = folder.file("view.varve")
    try script.write(to: path, ending: ending)
    return try ServedView([path] + options)
  }

  private func rows(_ object: Any?) throws -> [[String: Any]] {
    try #require(object as? [[String: Any]])
  }

  // MARK: - Who gets answers

  @Test("it says where it is, answers there, and Control-C ends it with status 0")
  func ends() throws {
    let view = try served(script(), "--at", "t=1..2")
    #expect(view.said.contains("/#t=1..2\n"))
    let page = try view.ask("")
    #expect(page.status == 200 && page.text.contains("page/main.js"))
    #expect(try view.ask("page/main.js").head.contains("text/javascript"))
    #expect(try view.ask("page/nothing.js").status == 404)
    #expect(view.interrupt() == 0)
  }

  @Test("a port that is taken is said to be so, in a sentence")
  func taken() throws {
    let view = try served(script())
    let other = try CommandRun(
      ["view", folder.file("view.varve"), "--no-open", "--port", "\(view.port)"])
    #expect(other.status == 3)
    #expect(
      other.errors == """
        varve: cannot listen on port \(view.port) of 127.0.0.1: Address already in use; \
        --port 0 takes any

        """)
  }

  @Test("over SSH it says what to forward")
  func forwarded() throws {
    let path = folder.file("view.varve")
    try script().write(to: path)
    let view = try ServedView([path], environment: ["SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"])
    #expect(view.said.contains("ssh -L \(view.port):127.0.0.1:\(view.port) 10.0.0.2"))
  }

  #if os(Linux)
    @Test("the browser is given a page that only its user may read, and that leads there")
    func opened() throws {
      let (path, opener) = (folder.file("view.varve"), folder.file("xdg-open"))
      try script().write(to: path)
      // It says what it was given, whose it is, which signals are blocked, and of which group it is.
      let told = """
        #!/bin/sh
        { echo "$@"; stat -c %a "$1"; cat "$1"; grep SigBlk /proc/self/status
          [ "$(cut -d' ' -f5 /proc/$$/stat)" = $$ ] && echo "on its own"; } > "$TOLD.part"
        mv "$TOLD.part" "$TOLD"
        """
      try told.write(toFile: opener, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
      let view = try ServedView(
        [path], opens: true,
        environment: [
          "PATH": folder.path + ":/usr/bin:/bin", "DISPLAY": ":0", "TOLD": folder.file("told"),
        ])
      for _ in 0..<600 where !FileManager.default.fileExists(atPath: folder.file("told")) {
        usleep(50_000)
      }
      let lines = try String(contentsOfFile: folder.file("told"), encoding: .utf8)
        .split(separator: "\n").map(String.init)
      let page = try #require(lines.first)
      #expect(page.hasSuffix(".html") && !page.contains(view.token) && lines[1] == "600")
      #expect(
        lines.contains {
          $0.contains("0; url=http://127.0.0.1:\(view.port)/\(view.token)/")
        })
      #expect(lines.contains { $0.firstMatch(of: #/SigBlk:\s+0+$/#) != nil })
      #expect(lines.last == "on its own")
      #expect(view.interrupt() == 0 && !FileManager.default.fileExists(atPath: page))
    }
  #endif

  @Test("a wrong token, another Host, another origin and other methods get nothing")
  func strangers() throws {
    let view = try served(script())
    let host = "Host: 127.0.0.1:\(view.port)"
    let local = "Host: localhost:\(view.port)"
    for path in ["", "page/main.js", "api/trace", "api/statistics?from=0&to=9"] {
      let strange: [(String, ServedView.Answer)] = [
        ("no token", try view.send("GET /\(path) HTTP/1.1", [host])),
        ("wrong", try view.ask(path, token: String(repeating: "0", count: 32))),
        ("short", try view.ask(path, token: String(view.token.dropLast()))),
        ("other host", try view.ask(path, headers: ["Host: evil.example:\(view.port)"])),
        ("other port", try view.ask(path, headers: ["Host: 127.0.0.1:1"])),
        ("no host", try view.ask(path, headers: [])),
        ("two hosts", try view.ask(path, headers: [host, local])),
        ("origin", try view.ask(path, headers: [host, "Origin: http://evil.example"])),
        ("null", try view.ask(path, headers: [host, "Origin: null"])),
        ("script", try view.ask(path, headers: [host, "Sec-Fetch-Site: cross-site"])),
        ("same site", try view.ask(path, headers: [host, "Sec-Fetch-Site: same-site"])),
        (
          "frame",
          try view.ask(
            path,
            headers: [
              host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
              "Sec-Fetch-Dest: iframe",
            ])
        ),
        ("post", try view.ask(path, method: "POST")),
        ("options", try view.ask(path, method: "OPTIONS")),
      ]
      for (name, answer) in strange {
        #expect(answer.status == 403 || answer.status == 400, "\(name) \(path): \(answer.head)")
        #expect(answer.body.isEmpty, "\(name) \(path)")
        #expect(!answer.head.lowercased().contains("access-control"))
      }
      #expect(try view.ask(path, headers: [local, "Sec-Fetch-Site: same-origin"]).status == 200)
    }
    // A link opens the page, and nothing else.
    let link = [
      host, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
    ]
    #expect(try view.ask("", headers: link).status == 200)
    #expect(try view.ask("api/trace", headers: link).status == 403)
  }

  @Test("each answer forbids to load from elsewhere, to be embedded and to be kept")
  func headers() throws {
    let view = try served(script())
    for path in ["", "page/main.js", "api/trace", "api/nothing"] {
      let head = try view.ask(path).head.lowercased()
      for part in [
        "default-src 'none'", "frame-ancestors 'none'", "x-content-type-options: nosniff",
        "referrer-policy: no-referrer", "cross-origin-resource-policy: same-origin",
        "cache-control: no-store",
      ] { #expect(head.contains(part), "\(path): \(part)") }
    }
  }

  // MARK: - Answers

  @Test("it answers all that the page asks of an event: value, causes, effects, lane and place")
  func events() throws {
    let view = try served(script())
    _ = try view.messages("api/pyramid")
    let trace = try view.ask("api/trace").object()
    let lanes = try rows(trace["lanes"])
    #expect(
      lanes.map { $0["kind"] as? String } == ["stream", "stream", "scheduler", "thread", "thread"])
    #expect(trace["exact"] as? Bool == true && trace["events"] as? Int == 6)
    #expect(lanes[0]["values"] as? Int == 1 && lanes[1]["values"] as? Int == 1)
    let all = try rows(try view.ask("api/events?from=0&to=9000000").object()["events"])
    #expect(all.map { $0["event"] as? String } == ["1.1", "1.2", "1.3", "2.1", "2.2", "1.4"])
    let rest = try view.ask("api/events?from=0&to=9000000&after=1.3&limit=2").object()
    #expect(try rows(rest["events"]).map { $0["event"] as? String } == ["2.1", "2.2"])
    #expect(rest["more"] as? Bool == true)
    let own = try view.ask("api/events?from=0&to=9000000&lanes=1-1").object()
    #expect(try rows(own["events"]).map { $0["value"] as? Int } == [7])
    let event = try view.ask("api/event?event=2.1").object()
    #expect(event["causes"] as? [String] == ["1.3"] && event["effects"] as? [String] == ["2.2"])
    #expect(event["scheduler"] as? String == "queue")
    let steps = try rows(try view.ask("api/why?event=2.2").object()["steps"])
    #expect(steps.map { $0["event"] as? String } == ["2.2", "2.1", "1.2"])
    #expect(steps[0]["place"] as? String == "Shop.swift:4")
    #expect(try view.ask("api/event?event=9.9").status == 400)
    let slices = try rows(try view.ask("api/slices?from=0&to=9000000").object()["slices"])
    #expect(slices.map { $0["state"] as? String } == ["queued", "runs", "runs"])
    let state = try rows(try view.ask("api/state?at=1500000").object()["rows"])
    #expect(state.map { $0["value"] as? String } == ["k"])
    #expect(state.map { $0["open"] as? Int } == [1])
    let values = try view.ask("api/values?lane=1&from=0&to=9000000").object()
    #expect((values["points"] as? [[Double]])?.map(\.last) == [7])
    let open = try view.ask("api/subscriptions?lane=0").object()
    #expect(try rows(open["subscriptions"]).first?["to"] is NSNull)
  }

  @Test("tasks have lanes: their runs with threads, what they wait for, and who resumed them")
  func tasks() throws {
    let view = try served(ViewedScript.tasks())
    _ = try view.messages("api/pyramid")
    let lanes = try rows(try view.ask("api/trace").object()["lanes"])
    let tasks = lanes.filter { $0["kind"] as? String == "task" }
    #expect(tasks.map { $0["name"] as? String } == ["task 1", "task 2 fetch"])
    #expect(tasks.map { $0["depth"] as? Int } == [0, 1])
    #expect(tasks[0]["phase"] as? String == "suspended: awaits task 2")
    let own = try #require(tasks[0]["lane"] as? Int)
    let child = try #require(tasks[1]["lane"] as? Int)
    #expect(tasks[1]["parents"] as? [Int] == [own])
    for (query, count) in [("from=0&to=9000000", 3), ("from=8000000&to=9000000", 1)] {
      let slices = try rows(
        try view.ask("api/slices?\(query)&lanes=\(own)-\(child)").object()["slices"])
      let first = slices.filter { $0["lane"] as? Int == own }
      #expect(first.count == count)
      let wait = try #require(first.first { $0["state"] as? String == "waits" })
      #expect(wait["label"] as? String == "awaits task 2" && wait["to"] is NSNull)
      let second = slices.filter { $0["lane"] as? Int == child }
      #expect(
        second.first { $0["state"] as? String == "waits" }?["label"] as? String
          == "awaits a continuation or sleeps")
      guard count == 3 else { continue }
      #expect(second.first { $0["state"] as? String == "queued" }?["by"] as? Int == own)
      let run = try #require(second.first { $0["state"] as? String == "runs" })
      #expect(
        run["from"] as? Int == 4_000_000 && (run["label"] as? String)?.contains("worker") == true)
    }
    // There is nothing to count in their lanes.
    let tiles = try view.ask("api/tiles?level=7&first=0&count=1&lanes=\(own)-\(child)")
    #expect(tiles.body.dropFirst(12).allSatisfy { $0 == 0 })
  }

  @Test(
    "--diff tells where another run differs, event by event; without it there is nothing to tell")
  func difference() throws {
    let other = folder.file("other.varve")
    try script("x").write(to: other)
    let view = try served(script(), "--diff", other)
    #expect(try view.ask("api/trace").object()["diff"] as? Bool == true)
    let answer = try #require(try view.messages("api/diff").last { $0.name == "done" }).data
    let rows = try rows(answer["rows"])
    #expect(rows.map { $0["name"] as? String } == ["keys"] && answer["same"] as? Int == 1)
    #expect(rows.first?["left"] as? String == "1.2" && rows.first?["ordinal"] as? Int == 1)
    #expect((rows.first?["right_value"] as? String)?.contains("x") == true)
    #expect(try served(script()).ask("api/trace").object()["diff"] as? Bool == false)
  }

  @Test(
    "of a finished recording that went on in several files, all are shown, and named in commands")
  func rotated() throws {
    let path = folder.file("run.varve")
    let child = try CommandRun(
      ["parted", path, "50", "policy=block,rotate=1s"], program: "RecorderChild")
    try #require(child.status == 0, "\(child.output)")
    let parts = folder.names.filter { $0.hasPrefix("run") && $0.hasSuffix(".varve") }
    try #require(parts.count > 1)
    let view = try ServedView([path])
    let trace = try view.ask("api/trace").object()
    let files = try #require(trace["files"] as? [String])
    #expect(files.count == parts.count && files.last == path)
    let all = try CommandRun(["replay", "-q", "--format", "ndjson"] + files)
    #expect(trace["events"] as? Int == all.output.split(whereSeparator: \.isNewline).count)
    // A file alone that is not the last is what it is.
    let first = try ServedView([try #require(files.first)])
    #expect((try first.ask("api/trace").object()["files"] as? [String])?.count == 1)
  }

  @Test("a condition, names and a period are where the page begins")
  func chosen() throws {
    let view = try served(
      script(), "--where", "value > 3", "-n", "keys*", "--since", "+1ms", "--until", "+2ms")
    #expect(view.said.contains("/#q=keys%2a&s=%3fvalue%20%3e%203&t=1000000..2000000\n"))
  }

  @Test("statistics of a range, search, silence and latency come as messages that end")
  func messages() throws {
    let view = try served(script())
    let statistics = try view.messages("api/statistics?from=0&to=9000000")
    #expect(statistics.last?.name == "done" && statistics.last?.data["count"] as? Int == 6)
    let keys = statistics.first { $0.data["lane"] as? Int == 0 }
    #expect(keys?.data["count"] as? Int == 2 && keys?.data["values"] as? Int == 1)
    let one = try view.messages("api/statistics?from=0&to=9000000&lanes=1")
    #expect(one.last?.data["count"] as? Int == 1)
    for (query, expected) in [
      ("text=SAI", ["1.4"]), ("text=%5E7%24&regex=1", ["2.2"]), ("text=queue", ["1.3", "2.1"]),
      ("where=value+%3E+3", ["2.2"]),
    ] {
      let found = try view.messages("api/search?\(query)")
      #expect(found.filter { $0.name == "row" }.map { $0.data["event"] as? String } == expected)
    }
    #expect(try view.messages("api/search?text=(&regex=1").last?.name == "failure")
    #expect(try view.messages("api/silence?lane=1").last?.data["text"] is String)
    #expect(try view.messages("api/latency").first?.data["scheduler"] as? String == "queue")
    #expect(try rows(try view.messages("api/findings").last?.data["findings"]).isEmpty)
  }

  @Test("a block that contradicts its checksum is told as damage, once it was read")
  func damagedBlock() throws {
    var script = TraceScript()
    let keys = script.stream("keys")
    for time in 1...400 { script.value(keys, "value \(time)", at: Double(time)) }
    let path = folder.file("damaged.varve")
    try script.write(to: path, blockEvents: 100)
    let blocks = try TraceReader(path: path).blocks
    var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let offset = try #require(blocks[1].offset)
    let next = try #require(blocks[2].offset)
    bytes[Int(next) - 8] ^= 0x55
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(offset < next)
    let view = try ServedView([path])
    _ = try view.messages("api/pyramid")
    let damage = try rows(try view.ask("api/trace").object()["damage"])
    let told = try #require(damage.first)
    // The second hundred of values, of one a millisecond.
    #expect(damage.count == 1)
    #expect(told["from"] as? Int == 100_000_000 && told["to"] as? Int == 199_000_000, "\(told)")
  }

  @Test("a silent stretch ends before the delivery of the value that ends it")
  func silentStretch() throws {
    var script = TraceScript()
    let typed = script.stream("typed", line: 1)
    let found = script.stream(
      "found", "compactMap(_:)", from: [typed], line: 2, traits: .swallows, absorbs: .filtered)
    let shown = script.stream("shown", "named(_:)", from: [found], line: 3)
    _ = script.subscribe(shown, at: 0)
    _ = script.subscribe(found, to: shown, at: 0)
    _ = script.subscribe(typed, to: found, at: 0)
    for time in 1...3 { script.value(typed, "\(time)", at: Double(time)) }
    script.value(typed, "4", at: 4)
    script.value(found, "4", at: 4.1, back: 1)
    script.value(shown, "4", at: 4.2, back: 1)
    let view = try served(script)
    let lanes = try rows(try view.ask("api/trace").object()["lanes"])
    let lane = try #require(lanes.first { $0["name"] as? String == "shown" }?["lane"] as? Int)
    let text = try view.messages("api/silence?lane=\(lane)&at=2000000").last?.data["text"]
    let told = try #require(text as? String)
    #expect(told.contains("refused all 3 values") || told.contains("3 of 3"), "\(told)")
  }

  @Test("tiles come as bytes: a head, and a cell for each lane and bucket")
  func tiles() throws {
    let view = try served(script())
    let tiles = try view.ask("api/tiles?level=7&first=0&count=1&lanes=0-1")
    #expect(tiles.body.count == 12 + 2 * 256)
    let cells = Array(tiles.body.dropFirst(12))
    // A subscription at once, a value after a millisecond; the other lane's value after two.
    #expect(cells[0] == 0x81 && cells[61] == 1 && cells[256 + 122] == 1)
    #expect(cells.count { $0 != 0 } == 3)
    for bad in [
      "level=99&first=0&count=1&lanes=0", "level=1&first=0&count=99999999&lanes=0", "x=1",
    ] {
      #expect(try view.ask("api/tiles?\(bad)").status == 400)
    }
  }

  @Test("a crashed trace has its report, and F2: hostile text is only text")
  func crashed() throws {
    let text = "</script><script>alert(1)</script>\u{202e}<!--"
    let view = try served(
      script(text), ending: .crashed(signal: 4, ring: 2, programCounter: nil))
    let trace = try view.ask("api/trace").object()
    #expect(trace["ended"] as? String == "crashed")
    let report = try #require(try view.messages("api/postmortem").last).data
    // What is known is told again.
    let again = try view.messages("api/postmortem").last?.data
    #expect(again?["text"] as? String == report["text"] as? String)
    #expect((report["text"] as? String)?.contains("SIGILL") == true)
    #expect(try view.ask("api/event?event=1.2").object()["value"] as? String == text)
  }

  @Test("a recording that goes on is followed: what comes is told, counted and listed")
  func live() throws {
    let path = folder.file("live.varve")
    let child = try RecordingChild(into: path, threads: 1, in: folder)
    let view = try ServedView([path])
    let before = try #require(try view.ask("api/trace").object()["events"] as? Int)
    let live = Thread { [client = view.client] in _ = try? client.ask("api/live") }
    live.start()
    var now = before
    for _ in 0..<200 where now <= before {
      usleep(50_000)
      now = try #require(try view.ask("api/trace").object()["events"] as? Int)
    }
    #expect(now > before && child.isRunning)
    let listed = try view.ask("api/events?from=0&to=99999999999&limit=20000").object()
    #expect(try rows(listed["events"]).count >= min(before, 20_000))
    #expect(view.interrupt() == 0)
  }
}
