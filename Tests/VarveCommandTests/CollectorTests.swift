import Foundation
import Testing
import VarveTraceScript

/// A collector that answers as it is told, and keeps what it was sent.
private final class Collector {
  private let process = Process()
  private let folder: String
  let port: String

  private static let program = """
    import gzip, http.server, os, sys
    folder, answers = sys.argv[1], sys.argv[2].split(",")
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *_):
            pass
        def do_POST(self):
            number = sum(name.endswith(".body") for name in os.listdir(folder))
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            answer = answers[min(number, len(answers) - 1)]
            status, _, text = answer.partition(":")
            with open(f"{folder}/{number}.head", "w") as file:
                file.write(f"{self.path}\\n{self.headers}")
            with open(f"{folder}/{number}.draft", "wb") as file:
                file.write(body)
            os.rename(f"{folder}/{number}.draft", f"{folder}/{number}.body")
            if status == "0":
                self.close_connection = True
                return
            said = bytes.fromhex(text)
            self.send_response(int(status))
            if status == "429":
                self.send_header("Retry-After", "0")
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with open(f"{folder}/port.draft", "w") as file:
        file.write(str(server.server_port))
    os.rename(f"{folder}/port.draft", f"{folder}/port")
    server.serve_forever()
    """

  /// - Parameter answers: statuses, the last of which is for all later requests; after a colon, the
  ///   bytes of the answer. 0 closes the connection.
  init(_ answers: String, in folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.program, folder, answers]
    try process.run()
    while process.isRunning, !FileManager.default.fileExists(atPath: folder + "/port") {
      usleep(10_000)
    }
    port = try String(contentsOfFile: folder + "/port", encoding: .utf8)
  }

  deinit {
    // A termination signal may be blocked: the child inherits that from the thread that starts it.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The requests so far: path and headers, and the unpacked body.
  var requests: [(head: String, body: WireMessage)] {
    get throws {
      try (0..<count).map { number in
        let body = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(number).body"))
        return (
          try String(contentsOfFile: "\(folder)/\(number).head", encoding: .utf8),
          WireMessage(Array(body))
        )
      }
    }
  }

  var count: Int {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return names?.count { $0.hasSuffix(".body") } ?? 0
  }
}

@Suite("OTLP to a collector")
struct CollectorTests {
  private let folder = TemporaryFolder()
  private let trace: String

  init() throws {
    trace = folder.file("shop.varve")
    try SearchTrace().script.write(to: trace)
  }

  private func collector(_ answers: String) throws -> Collector {
    try Collector(answers, in: folder.file("requests"))
  }

  private func send(
    to port: String, _ options: [String] = [], _ environment: [String: String] = [:]
  ) throws -> CommandRun {
    try CommandRun(
      ["export", trace, "--format", "otlp", "--otlp", "http://127.0.0.1:\(port)"] + options,
      environment: environment)
  }

  private static func spans(_ request: WireMessage) -> [WireMessage] {
    request[1].flatMap { WireMessage($0.bytes)[2] }.flatMap { WireMessage($0.bytes)[2] }
      .map { WireMessage($0.bytes) }
  }

  @Test("the same spans as in JSON are sent, packed, with the headers that were asked for")
  func sent() throws {
    let collector = try collector("200")
    let run = try send(
      to: collector.port, [], ["OTEL_EXPORTER_OTLP_HEADERS": "x-key=a%20b, other = c"])
    #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
    let request = try #require(try collector.requests.first)
    #expect(request.head.hasPrefix("/v1/traces\n"))
    let head = request.head.lowercased()
    #expect(head.contains("content-encoding: gzip"))
    #expect(head.contains("content-type: application/x-protobuf"))
    #expect(head.contains("x-key: a b\n") && head.contains("other: c\n"))
    let document = try CommandRun(["export", trace, "--format", "otlp"]).output
    let object = try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any]
    let scopes = (object?["resourceSpans"] as? [[String: Any]])?.first?["scopeSpans"]
    let expected = (scopes as? [[String: Any]])?.first?["spans"] as? [[String: Any]] ?? []
    let spans = Self.spans(request.body)
    #expect(!spans.isEmpty && spans.count == expected.count)
    for (span, object) in zip(spans, expected) {
      func hex(_ field: Int) -> String {
        span[field].first?.bytes.map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined()
          ?? ""
      }
      #expect(span.text(5) == object["name"] as? String)
      #expect(hex(1) == object["traceId"] as? String && hex(2) == object["spanId"] as? String)
      #expect(hex(4) == object["parentSpanId"] as? String ?? "")
      #expect(span[7].first.map { "\($0.value)" } == object["startTimeUnixNano"] as? String)
      #expect(span[8].first.map { "\($0.value)" } == object["endTimeUnixNano"] as? String)
      #expect(span[9].count == (object["attributes"] as? [Any])?.count)
      #expect(span[11].count == (object["events"] as? [Any])?.count)
      #expect(span[13].count == (object["links"] as? [Any])?.count)
    }
  }

  @Test(
    "what a collector cannot take at the moment is sent again, over a new connection if need be")
  func retries() throws {
    let collector = try collector("429,0,503,200")
    let run = try send(to: collector.port)
    #expect(run.status == 0, "\(run.errors)")
    let requests = try collector.requests
    #expect(requests.count == 4)
    #expect(Set(requests.map { Self.spans($0.body).count }).count == 1)
    let waits = run.errors.split(separator: "\n").filter { $0.contains("; trying again in ") }
    #expect(waits.count == 3, "\(run.errors)")
    #expect(waits.first?.contains("it answered 429; trying again in 0.0 s") == true)
  }

  @Test("F4: where nobody listens, that is said in words, with each wait, and given up in seconds")
  func nobody() throws {
    let begun = ContinuousClock.now
    // Port 1 belongs to a service that no machine has had for decades.
    let run = try send(to: "1")
    let lines = run.errors.split(separator: "\n")
    #expect(run.status == 3 && begun.duration(to: .now) < .seconds(10))
    #expect(lines.count == 4, "\(run.errors)")
    let trouble = "cannot connect to 127.0.0.1:1: connection refused; "
    let wait = "varve: warning: \(trouble)trying again in "
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix(wait) })
    let end = "varve: \(trouble)is a collector listening there?"
    #expect(lines.last.map(String.init) == end)
    #expect(try send(to: "1", ["-q"]).errors == end + "\n")
  }

  @Test("F4: on a terminal a wait is a line that counts the seconds")
  func waitsOnTerminal() throws {
    let run = try TerminalRun(
      ["export", trace, "--format", "otlp", "--otlp", "http://127.0.0.1:1"], columns: 120)
    #expect(run.shows("\r\u{1b}[Kexport: trying again in "))
    #expect(run.shows(" s: cannot connect to 127.0.0.1:1: connection refused\r\u{1b}[K"))
    #expect(run.end() == 3)
    #expect(!run.output.contains("warning"))
  }

  @Test("what a collector refuses is not sent again, and its reason is told")
  func refused() throws {
    // Status { message: "no" }
    let collector = try collector("400:12026e6f")
    let run = try send(to: collector.port)
    #expect(run.status == 3 && run.errors.contains("it answered 400: no; --format otlp without"))
    #expect(collector.count == 1)
  }

  @Test("F6: spans that a collector leaves out are counted, with its reason")
  func partial() throws {
    // partial_success { rejected_spans: 2, error_message: "old" }
    let collector = try collector("200:0a0708021203" + "6f6c64")
    let run = try send(to: collector.port, [], ["OTEL_EXPORTER_OTLP_COMPRESSION": "none"])
    // A script has to notice.
    #expect(run.status == 4 && run.errors.contains("refused 2: old"), "\(run.errors)")
    #expect(try !collector.requests[0].head.lowercased().contains("content-encoding"))
  }

  @Test("the standard variables name the collector, and what is for traces goes before the rest")
  func variables() throws {
    let collector = try collector("200")
    let base = "http://127.0.0.1:\(collector.port)"
    for (number, variables) in [
      ["OTEL_EXPORTER_OTLP_ENDPOINT": base + "/own/"],
      [
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": base + "/exactly",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://nowhere",
      ],
    ].enumerated() {
      let run = try CommandRun(["export", trace, "--format", "otlp"], environment: variables)
      #expect(run.status == 0, "\(run.errors)")
      let path = ["/own/v1/traces\n", "/exactly\n"][number]
      #expect(try collector.requests[number].head.hasPrefix(path))
    }
  }

  @Test(
    "what cannot be done is said, with what to do",
    arguments: [
      (["--otlp", "https://api.example"], [:], "let it forward to https://api.example"),
      (["--otlp", "localhost:4318"], [:], "one is http://localhost:4318"),
      (["--otlp", "http://h:x"], [:], "one is http://localhost:4318"),
      (["--otlp", "http://h", "-o", "f"], [:], "choose one"),
      (["--follow"], [:], "--follow sends to a collector"),
      ([], ["OTEL_EXPORTER_OTLP_ENDPOINT": "grpc://x"], "one is http://localhost:4318"),
      (["--otlp", "http://h"], ["OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"], "http/protobuf"),
      (["--otlp", "http://h"], ["OTEL_EXPORTER_OTLP_TIMEOUT": "10s"], "milliseconds"),
      (["--otlp", "http://h"], ["OTEL_EXPORTER_OTLP_COMPRESSION": "br"], "gzip or none"),
      (["--otlp", "http://h"], ["OTEL_EXPORTER_OTLP_HEADERS": "a=%0ab"], "key=value"),
    ] as [([String], [String: String], String)])
  func impossible(options: [String], environment: [String: String], said: String) throws {
    let run = try CommandRun(
      ["export", trace, "--format", "otlp"] + options, environment: environment)
    #expect(run.status == 2 && run.errors.contains(said), "\(run.errors)")
  }

  @Test("F4: a program that runs is sent as it runs, each event once, until it ends")
  func follows() throws {
    let path = folder.file("live.varve")
    let child = try RecordingChild(into: path, threads: 2, in: folder)
    let collector = try collector("200")
    let process = child.identifier
    let folder = folder.file("requests")
    let killer = Thread {
      while !FileManager.default.fileExists(atPath: folder + "/3.body") { usleep(10_000) }
      kill(process, SIGKILL)
    }
    killer.start()
    let run = try CommandRun([
      "export", path, "--format", "otlp", "--otlp", "http://127.0.0.1:\(collector.port)", "-f",
    ])
    #expect([0, 4].contains(run.status), "\(run.errors)")
    let spans = try collector.requests.flatMap { Self.spans($0.body) }
    let events = spans.flatMap { $0[11] }.map { WireMessage($0.bytes) }.flatMap { event in
      event[3].map { WireMessage($0.bytes) }.filter { $0.text(1) == "varve.event" }
        .compactMap { $0[2].first.flatMap { WireMessage($0.bytes).text(1) } }
    }
    #expect(events.count > 100 && Set(events).count == events.count)
  }
}
