import Testing
import VarveFormat
import VarvePlatform
import VarveProbe

@testable import VarveRecorder

/// What is recorded of which streams, from the beginning and changed while the program runs.
@Suite struct SelectionTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }

  /// How many values each stream delivered, by name.
  private func values(_ trace: RecordedTrace, _ kind: RecordKind = .value) -> [String: Int] {
    trace.rings.values.joined().filter { $0.kind == kind.rawValue }
      .reduce(into: [:]) { counts, event in
        counts[trace.streams[event.stream]?.name ?? "?", default: 0] += 1
      }
  }

  private func played(_ options: String) throws -> RecordedTrace {
    let end = Child.run("streams", [path, "100", "policy=block,\(options)"])
    #expect(end.status == 0, "\(end)")
    return try RecordedTrace(path)
  }

  @Test("T3: every operator's stream is recorded, or those alone that have names")
  func levels() throws {
    let all = values(try played("streams=all"))
    #expect(all.count == 6 && all["login.map(_:)"] == 100 && all["ticker.even"] == 50)
    let named = values(try played("streams=named"))
    #expect(named == ["login": 100, "ticker": 100, "ticker.even": 50])
  }

  @Test("T2: names say which streams are recorded and which are not")
  func globs() throws {
    #expect(
      values(try played("include=login*")) == ["login": 100, "login.map(_:)": 100])
    #expect(
      Set(values(try played("exclude=ticker*,exclude=pipe@*")).keys) == ["login", "login.map(_:)"])
    #expect(
      values(try played("include=ticker*,include=login,exclude=*even"))
        == ["ticker": 100, "ticker.filter(_:)": 50, "login": 100])
    let none = try played("include=nothing")
    #expect(none.count == 0 && none.streams.isEmpty)
  }

  @Test("T2: what is not selected is not in the trace at all: no birth, no subscription, no hop")
  func nothingElse() throws {
    let trace = try played("include=login")
    let streams = Set(trace.rings.values.joined().map(\.stream))
    #expect(streams.count == 1 && trace.streams.keys.elementsEqual(streams))
  }

  @Test("T6: of a sampled stream one value in so many is recorded, and the others are counted")
  func sampling() throws {
    let trace = try played("sample=login:10,sample=ticker:1000")
    let kept = values(trace)
    #expect(kept["login"] == 10 && kept["login.map(_:)"] == 100 && kept["ticker"] == 1)
    let login = try #require(trace.streams.values.first { $0.name == "login" }).id
    let told = trace.rings.values.joined().filter { $0.stream == login }
    #expect(trace.integers(of: login) == stride(from: 1, through: 91, by: 10).map { $0 })
    let skipped = told.filter { $0.kind == RecordKind.skipped.rawValue }
    #expect(skipped.map(\.word) == Array(repeating: 9, count: 10))
  }

  /// How many values of each stream were counted and not recorded, by name.
  private func skipped(_ trace: RecordedTrace) -> [String: UInt64] {
    trace.rings.values.joined().filter { $0.kind == RecordKind.skipped.rawValue }
      .reduce(into: [:]) { $0[trace.streams[$1.stream]?.name ?? "?", default: 0] += $1.word }
  }

  @Test("T6: what a sampled stream has left out last is counted when recording stops")
  func sampledToTheEnd() throws {
    let options = "policy=block,sample=login:10,sample=ticker:1000"
    #expect(Child.run("stopped", [path, "105", options]).status == 0)
    let trace = try RecordedTrace(path)
    #expect(trace.ending == .clean)
    let kept = values(trace)
    #expect(kept["login"] == 11 && kept["ticker"] == 1)
    #expect(skipped(trace) == ["login": 94, "ticker": 104])
  }

  @Test("T6: what a sampled stream has left out is counted when other things are asked for")
  func sampledAndReconfigured() throws {
    let end = Child.run("reconfigure", [path, "50", "policy=block,sample=login:7"])
    #expect(end.status == 0, "\(end)")
    let trace = try RecordedTrace(path)
    let login = try #require(skipped(trace)["login"])
    #expect(UInt64(values(trace)["login"] ?? 0) + login == 600)
  }

  @Test("T6: what is left out of a sampled stream is counted once, also by who stops meanwhile")
  func sampledAndSwitched() throws {
    var kept = 0
    for trace in try switchedTraces("policy=block,sample=login:10") {
      for stream in trace.streams.values where stream.name == "login" {
        let told = trace.integers(of: stream.id)
        guard let first = told.first, let last = told.last else { continue }
        kept += told.count
        let left = trace.rings.values.joined()
          .filter { $0.stream == stream.id && $0.kind == RecordKind.skipped.rawValue }
          .reduce(0) { $0 + $1.word }
        #expect((last - first + 1..<last - first + 11).contains(UInt64(told.count) + left))
      }
    }
    #expect(kept > 0)
  }

  /// What is recorded while recording is switched off and on as two threads send.
  private func switchedTraces(_ options: String) throws -> [RecordedTrace] {
    let count = 40
    let end = Child.run("switched", [path, "\(count)", options])
    #expect(end.status == 0, "\(end)")
    #expect(folder.names.count == count, "\(folder.names)")
    return try (1...count).map { try RecordedTrace("\(path).\($0)") }
  }

  @Test("T10: silence behind a stream that is not recorded as a whole is taken for no absorption")
  func absorption() throws {
    let all = values(try played("absorption"), .absorbed)
    #expect(all == ["ticker.filter(_:)": 50])
    #expect(values(try played("absorption,streams=named"), .absorbed) == [:])
    #expect(values(try played("absorption,exclude=ticker.*"), .absorbed) == [:])
    #expect(values(try played("absorption,sample=ticker.f*:2"), .absorbed) == [:])
  }

  @Test("T2: what is recorded changes while the program runs, as often as one likes")
  func reconfigured() throws {
    let end = Child.run("reconfigure", [path, "50", "policy=block"])
    #expect(end.status == 0, "\(end)")
    let trace = try RecordedTrace(path)
    let kept = values(trace)
    #expect(kept["login"] == 600 && kept["ticker"] == 300)
    let ticker = try #require(trace.streams.values.first { $0.name == "ticker" }).id
    let expected = (0..<6).flatMap { turn in (1...50).map { UInt64(turn * 100 + $0) } }
    #expect(trace.integers(of: ticker) == expected)
    #expect(trace.rings.count == 1)
  }

  @Test("T2: orders from outside change what is recorded, and have a snapshot made")
  func controlled() throws {
    let stop = folder.file("stop")
    let child = Child("controlled", [path, "1", "policy=block", stop])
    try waitForValues(of: child, until: stop)
    // Orders are obeyed one after the other: what came before those that were taken is done.
    for orders in ["exclude=ticker*", "snapshot", "include=*", "snapshot"] {
      try obey(orders, child)
      try waitForValues(of: child, until: stop)
    }
    Folder.write([1], to: stop)
    #expect(child.wait().status == 0)
    let trace = try RecordedTrace(path)
    let stream = try #require(trace.streams.values.first { $0.name == "ticker" }).id
    let ticks = trace.integers(of: stream)
    let gaps = zip(ticks, ticks.dropFirst()).filter { $1 != $0 + 1 }
    #expect(gaps.count == 1, "\(gaps)")
    #expect(folder.names.contains("run-snapshot-1.varve"))
    #expect(throws: TraceFileError.self) { try TraceControl.send("snapshot", toTraceAt: path) }
  }

  @Test("T7: orders from outside leave alone what they do not name, above all what is private")
  func ordersAreNarrow() throws {
    let stop = folder.file("stop")
    let options = "policy=block,values=names,private=login*,stacks=no"
    let child = Child("controlled", [path, "1", options, stop])
    for orders in ["exclude=nobody", "exclude=nothing"] {
      try waitForValues(of: child, until: stop)
      try obey(orders, child)
    }
    try waitForValues(of: child, until: stop)
    Folder.write([1], to: stop)
    #expect(child.wait().status == 0)
    let trace = try RecordedTrace(path)
    for event in trace.rings.values.joined() where event.kind == RecordKind.value.rawValue {
      let isLogin = trace.streams[event.stream]?.name.hasPrefix("login") == true
      let expected = isLogin ? PayloadKind.withheld : .typeOnly
      try #require(event.payload == expected.rawValue, "\(event)")
    }
  }

  @Test("T2: orders that are given before others were taken take nothing from them")
  func ordersQueue() throws {
    let stop = folder.file("stop")
    let child = Child("controlled", [path, "1", "policy=block", stop])
    try waitForValues(of: child, until: stop)
    for orders in ["private=login*", "exclude=nobody", "exclude=ticker*", "snapshot"] {
      try TraceControl.send(orders, toTraceAt: path)
    }
    try waitForSnapshot(of: child)
    try waitForValues(of: child, until: stop)
    Folder.write([1], to: stop)
    #expect(child.wait().status == 0)
    #expect(!folder.names.contains { $0.contains("control") }, "\(folder.names)")
    let trace = try RecordedTrace(path)
    let kept = values(trace)
    #expect(try #require(kept["ticker"]) < #require(kept["login"]))
    let login = try #require(trace.streams.values.first { $0.name == "login" }).id
    let values = trace.rings.values.joined()
      .filter { $0.stream == login && $0.kind == RecordKind.value.rawValue }
    #expect(values.last?.payload == PayloadKind.withheld.rawValue)
  }

  @Test("T7: orders that an earlier recording has not taken are removed, all of them")
  func severalStaleOrders() throws {
    let stop = folder.file("stop")
    for number in 1...3 { Folder.write(Array("snapshot".utf8), to: place(ofOrders: number)) }
    let child = Child("controlled", [path, "1", "policy=block", stop])
    try waitForValues(of: child, until: stop)
    #expect(!folder.names.contains { $0.contains("control") }, "\(folder.names)")
    Folder.write([1], to: stop)
    #expect(child.wait().status == 0)
    #expect(!folder.names.contains { $0.contains("snapshot") }, "\(folder.names)")
  }

  @Test("T2: orders that many give at once all wait, each whole")
  func ordersFromMany() async throws {
    let stop = folder.file("stop")
    let child = Child("controlled", [path, "1", "policy=block", stop])
    try waitForValues(of: child, until: stop)
    kill(child.process, SIGSTOP)
    let path = path
    try await withThrowingTaskGroup { group in
      for giver in 0..<8 {
        group.addTask {
          for turn in 0..<5 {
            try TraceControl.send("exclude=stream-\(giver)-\(turn)", toTraceAt: path)
          }
        }
      }
      try await group.waitForAll()
    }
    let waiting = (1...40).map {
      String(decoding: Folder.contents(place(ofOrders: $0)), as: UTF8.self)
    }
    #expect(access(place(ofOrders: 41), F_OK) != 0)
    #expect(Set(waiting).count == 40 && waiting.allSatisfy { $0.hasPrefix("exclude=stream-") })
    for giver in 0..<8 {
      let own = waiting.filter { $0.hasPrefix("exclude=stream-\(giver)-") }
      #expect(own == (0..<5).map { "exclude=stream-\(giver)-\($0)" })
    }
    // What is asked for at the very end is done as well.
    let (sidecar, last) = (Sidecar.path(ofTraceAt: path), place(ofOrders: 41))
    let own = geteuid()
    // Who may give orders to another user's program leaves them in that user's name.
    let other = own == 0 ? 65_534 : own
    chown(sidecar, other, gid_t.max)
    try TraceControl.send("snapshot", toTraceAt: path)
    var status = stat()
    #expect(lstat(last, &status) == 0 && status.st_uid == other)
    for file in [sidecar, last] { chown(file, own, gid_t.max) }
    Folder.write([1], to: stop)
    kill(child.process, SIGCONT)
    #expect(child.wait().status == 0)
    #expect(folder.names == ["run-snapshot-1.varve", "run.varve", "stop", "stop-sent"])
  }

  /// Leaves orders for the program and waits until it has taken them.
  private func obey(_ orders: String, _ child: Child) throws {
    try TraceControl.send(orders, toTraceAt: path)
    try waitForObedience(of: child)
  }

  private func waitForObedience(of child: Child) throws {
    let place = place(ofOrders: 1)
    try child.wait(for: "orders to be taken") { access(place, F_OK) != 0 }
  }

  private func waitForSnapshot(of child: Child) throws {
    let snapshot = folder.file("run-snapshot-1.varve")
    try child.wait(for: "a snapshot") { access(snapshot, F_OK) == 0 }
  }

  /// Where orders lie until they are taken.
  private func place(ofOrders number: Int) -> String {
    TraceControl.path(ofOrders: number, forTraceAt: path)
  }

  /// Waits until the program that runs until `stop` is there has sent a value that it had not begun
  /// to send before.
  private func waitForValues(of child: Child, until stop: String) throws {
    func sent() -> UInt64 {
      Folder.contents(stop + "-sent").enumerated().reduce(0) {
        $0 | UInt64($1.element) << ($1.offset * 8)
      }
    }
    let before = sent()
    try child.wait(for: "more values") { sent() >= before + 2 }
  }

  @Test("T7: orders that nobody took are not obeyed by the next recording")
  func staleOrders() throws {
    let stop = folder.file("stop")
    let orders = place(ofOrders: 1)
    Folder.write(Array("values=all,snapshot".utf8), to: orders)
    let child = Child("controlled", [path, "1", "policy=block,values=none", stop])
    try waitForValues(of: child, until: stop)
    try waitForObedience(of: child)
    for orders in ["exclude=nobody", "exclude=nothing"] {
      try obey(orders, child)
      try waitForValues(of: child, until: stop)
    }
    Folder.write([1], to: stop)
    #expect(child.wait().status == 0)
    #expect(!folder.names.contains("run-snapshot-1.varve"))
    for event in try RecordedTrace(path).rings.values.joined()
    where event.kind == RecordKind.value.rawValue {
      try #require(event.payload == PayloadKind.withheld.rawValue, "\(event)")
    }
  }

  @Test(
    "T7: orders in somebody else's name, or behind a link, are left where they are",
    .enabled(if: getuid() == 0), arguments: ["owner", "link"])
  func strangersOrders(how: String) throws {
    let stop = folder.file("stop")
    let orders = place(ofOrders: 1)
    let child = Child("controlled", [path, "1", "policy=block", stop])
    try waitForValues(of: child, until: stop)
    let file = how == "link" ? folder.file("elsewhere") : folder.file("draft")
    Folder.write(Array("snapshot".utf8), to: file)
    if how == "link" {
      symlink(file, orders)
    } else {
      chown(file, 65_534, 65_534)
      rename(file, orders)
    }
    // Orders that wait behind those are taken, and so those were looked at.
    try TraceControl.send("exclude=nobody", toTraceAt: path)
    let own = place(ofOrders: 2)
    #expect(access(own, F_OK) == 0)
    try child.wait(for: "the orders behind to be taken") { access(own, F_OK) != 0 }
    Folder.write([1], to: stop)
    #expect(child.wait().status == 0)
    #expect(access(orders, F_OK) == 0)
    #expect(!folder.names.contains("run-snapshot-1.varve"))
  }

  @Test("T7: orders are written into a file of their own, wherever a link of its name leads")
  func ordersFollowNoLink() throws {
    let stop = folder.file("stop")
    let victim = folder.file("victim")
    Folder.write(Array("precious".utf8), to: victim)
    symlink(victim, TraceControl.path(ofTraceAt: path) + "-next")
    let child = Child("controlled", [path, "1", "policy=block", stop])
    try waitForValues(of: child, until: stop)
    try TraceControl.send("snapshot", toTraceAt: path)
    try waitForSnapshot(of: child)
    Folder.write([1], to: stop)
    #expect(child.wait().status == 0)
    #expect(Folder.contents(victim) == Array("precious".utf8))
  }

  @Test("T2: recording is switched off and on while threads send, and each trace is whole")
  func switched() throws {
    var kept = 0
    for trace in try switchedTraces("policy=block") {
      #expect(trace.ending == .clean && trace.losses.isEmpty)
      for stream in trace.streams.values where stream.name == "login" {
        let told = trace.integers(of: stream.id)
        kept += told.count
        #expect(zip(told, told.dropFirst()).allSatisfy { $1 == $0 + 1 })
      }
    }
    #expect(kept > 0)
  }

  @Test(
    "T7: a value marked private is not in the trace in any form",
    arguments: ["", "values=types", "policy=drop"])
  func secrets(options: String) throws {
    let all = "private=private.*,typed=typed,\(options)"
    #expect(Child.run("secrets", [path, "1", all]).status == 0)
    let trace = try RecordedTrace(path)
    let events = trace.rings.values.joined()
    #expect(!events.contains { $0.text.contains("secret") || $0.word == 5_318_008 })
    // Not in the rings either, which hold bytes as they are.
    let live = String(decoding: Folder.contents(path + "-live"), as: UTF8.self)
    #expect(!live.contains("secret"))
    func texts(_ name: String) -> Set<String> {
      let ids = trace.streams.values.filter { $0.name == name }.map(\.id)
      let values = events.filter { ids.contains($0.stream) && $0.kind == RecordKind.value.rawValue }
      #expect(!values.isEmpty, "\(name)")
      return Set(values.map(\.text))
    }
    #expect(texts("text") == ["plain"])
    #expect(texts("typed") == ["Swift.String"])
    #expect(texts("private.text") == [""])
    if options != "values=types" {
      #expect(texts("long").allSatisfy { $0.utf8.count <= 256 && $0.hasPrefix("[\"word\", ") })
      #expect(texts("long.values") == texts("long"))
      #expect(texts("numbers") == ["[1, 2, 3]"])
      #expect(texts("keys") == ["[\"one\"]"])
      #expect(texts("token.values") == ["[private]"] && texts("token.keys") == ["[private]"])
      #expect(texts("token.shelf").allSatisfy { $0.hasSuffix("Holder(token: private)]") })
      #expect(texts("token.hashable") == ["Holder(token: private)"])
    }
  }

  /// What of some texts a trace and what lies beside it hold, as bytes or once they are unpacked.
  private func found(_ texts: [String], in folder: Folder) throws -> [String] {
    let reader = try TraceReader(path: path)
    // Most of a sidecar is zeros.
    var all = folder.names.flatMap { Folder.contents(folder.file($0)).filter { $0 != 0 } }
    all += Array("\(reader.header)\n\(reader.definitions)\n".utf8)
    var columns = EventColumns()
    for block in reader.blocks.indices {
      try reader.decode(block, into: &columns, columns: .all)
      all += columns.heap
    }
    return texts.filter { all.firstRange(of: $0.utf8) != nil }
  }

  @Test(
    "T7: the preset for production writes no arguments and no host's name unless asked for them",
    arguments: [
      "preset=production", "preset=production,arguments", "preset=production,host=yes",
      "arguments=no,host=no", "",
    ])
  func arguments(_ options: String) throws {
    let secret = "--token=7c1f-argument"
    #expect(Child.run("secrets", [path, "1", options, secret]).status == 0)
    var name = [CChar](repeating: 0, count: 256)
    #expect(gethostname(&name, 255) == 0)
    let host = name.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let process = try TraceReader(path: path).header.process
    let tellsArguments = options.isEmpty || options.hasSuffix("arguments")
    let tellsHost = options.isEmpty || options.contains("host=yes")
    #expect(process.arguments.contains(secret) == tellsArguments)
    #expect(process.arguments.isEmpty == !tellsArguments)
    #expect(process.host == (tellsHost ? host : ""))
    #expect(try found([secret], in: folder).isEmpty == !tellsArguments)
    // A short name may lie in any bytes.
    if host.utf8.count > 5 { #expect(try found([host], in: folder).isEmpty == !tellsHost) }
  }

  @Test("T7: the preset for production records types alone")
  func production() throws {
    #expect(Child.run("secrets", [path, "1", "preset=production"]).status == 0)
    let trace = try RecordedTrace(path)
    let values = trace.rings.values.joined().filter {
      [RecordKind.value.rawValue, RecordKind.failed.rawValue].contains($0.kind)
    }
    #expect(!values.isEmpty)
    #expect(values.allSatisfy { $0.payload == PayloadKind.typeOnly.rawValue })
    let texts = Set(values.map(\.text))
    #expect(texts.contains("Swift.String") && texts.contains("Swift.Int"))
    #expect(!texts.contains { $0.contains("secret") || $0.contains("plain") })
  }
}
