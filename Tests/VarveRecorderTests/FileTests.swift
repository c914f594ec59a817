import Testing
import VarvePlatform
import VarveProbe

@testable import VarveFormat
@testable import VarveRecorder

/// The files of a recording: a flight recorder's, those of a rotation, snapshots, and what others do
/// to them.
@Suite struct FileTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }

  @Test("T6: a flight recorder keeps the first and the last, and tells what it did not keep")
  func keepsLast() throws {
    let events: UInt64 = 300_000
    let end = Child.run(
      "limited", [path, "2", "keep=256K,first=64K,ring=128K", "\(events)", "\(1 << 30)"])
    #expect(end.status == 0, "\(end)")
    #expect(folder.names == ["run.varve"])
    let size = Folder.contents(path).count
    #expect(size > 256 << 10 && size < 900 << 10, "\(size) bytes")
    let trace = try RecordedTrace(path, hasGaps: true)
    #expect(trace.ending == .clean)
    #expect(trace.losses.contains { $0.reason == .notKept })
    for stream in 1...2 as ClosedRange<UInt32> {
      let ring = try #require(trace.ring(of: stream))
      let recorded = try #require(trace.rings[ring])
      let missing = trace.losses.filter { $0.ring == ring }
      #expect(UInt64(recorded.count) + missing.reduce(0) { $0 + $1.count } == events)
      checkGaps(recorded, missing.filter { $0.reason == .notKept })
    }
  }

  /// Every gap is told: where the oldest of what waited was given up, and where the file was written
  /// anew. What is missing behind the last event is where the other thread filled the window.
  private func checkGaps(_ recorded: [RecordedTrace.Event], _ notKept: [TraceLoss]) {
    var before = (sequence: UInt64(0), ticks: UInt64(0))
    for event in recorded {
      if event.sequence != before.sequence + 1 {
        let told = notKept.filter {
          before.ticks < $0.ticks.lowerBound && $0.ticks.upperBound < event.ticks
        }
        let missing = event.sequence - before.sequence - 1
        #expect(told.reduce(0) { $0 + $1.count } == missing)
      }
      before = (event.sequence, event.ticks)
    }
  }

  @Test("T6: a window in time keeps every block that reaches into it")
  func window() {
    let blocks = (0..<10 as Range<UInt64>).map { index in
      BlockSummary(
        offset: index * 100, storedBytes: 100, ring: 1, count: 1, firstSequence: index + 1,
        ticks: index * 10...index * 10 + 5, streams: StreamSet(),
        kinds: KindSet())
    }
    func offsets(_ window: Recorder.Window, earliest: UInt64 = 0) -> [UInt64] {
      let beginning = window.beginning(of: blocks)
      return window.kept(of: blocks, beginning: beginning, earliest: earliest)
        .map { $0.firstSequence - 1 }
    }
    let time = Recorder.Window.time(.seconds(1))
    #expect(offsets(time.keepingFirst(0), earliest: 75) == [7, 8, 9])
    #expect(offsets(time.keepingFirst(250), earliest: 76) == [0, 1, 8, 9])
    #expect(offsets(time.keepingFirst(1_000_000), earliest: 76) == Array(0..<10))
    #expect(offsets(time.keepingFirst(0), earliest: 1_000) == [])
    #expect(offsets(.bytes(64 << 10), earliest: 0) == Array(0..<10))
  }

  @Test("T6: a trace goes on in another file, each of them complete in itself")
  func rotates() throws {
    let events: UInt64 = 60_000
    let end = Child.run(
      "limited", [path, "2", "policy=block,rotate=128K,ring=64K", "\(events)", "\(1 << 30)"])
    #expect(end.status == 0, "\(end)")
    let count = folder.names.count
    #expect(count >= 5, "\(folder.names)")
    let names = (1..<count).map { "run-\($0).varve" } + ["run.varve"]
    #expect(folder.names == names.sorted())
    var sequences: [UInt32: [UInt64]] = [:]
    var ids: Set<TraceID> = []
    for name in names {
      let trace = try RecordedTrace(folder.file(name), hasGaps: true)
      #expect(trace.ending == .clean)
      #expect(trace.losses.isEmpty)
      #expect(trace.streams.count == 2)
      ids.insert(trace.header.id)
      for (ring, recorded) in trace.rings {
        #expect(trace.threads[ring] != nil)
        sequences[ring, default: []] += recorded.map(\.sequence)
      }
      #expect(Folder.contents(folder.file(name)).count < 512 << 10)
    }
    #expect(ids.count == 1)
    #expect(sequences.count == 2)
    for recorded in sequences.values { #expect(recorded.elementsEqual(1...events)) }
  }

  @Test("T6: a trace goes on in another file when the one it has is old enough")
  func rotatesByAge() throws {
    let end = Child.run("aged", [path, "5000", "policy=block,rotate=1s,ring=64K"])
    #expect(end.status == 0, "\(end)")
    let finished = folder.names.filter { $0 != "run.varve" }
    #expect(finished.first == "run-1.varve", "\(folder.names)")
    var words: [UInt64] = []
    for name in finished + ["run.varve"] {
      let part = try RecordedTrace(folder.file(name), hasGaps: true)
      #expect(part.ending == .clean && part.losses.isEmpty)
      #expect(part.streams[1]?.name == "numbers")
      #expect(part.rings.keys.allSatisfy { part.threads[$0] != nil })
      words += part.integers(of: 1)
    }
    #expect(words.elementsEqual(1...10_000))
  }

  @Test("T6: a sidecar that somebody removes is missed and told of, and recording goes on")
  func sidecarRemoved() throws {
    let end = Child.run("bereft", [path, "2000", "policy=block,ring=64K"])
    #expect(end.status == 0, "\(end)")
    #expect(end.output.contains("run.varve-live was removed"), "\(end.output)")
    let trace = try RecordedTrace(path)
    #expect(trace.ending == .clean && trace.losses.isEmpty)
    #expect(trace.integers(of: 1).elementsEqual(1...8_000))
    #expect(folder.names == ["run.varve"])
  }

  @Test("T6: that a finished file could not be completed is told")
  func incomplete() throws {
    let end = Child.run("filled", [path, "1000", "policy=block,rotate=3s"])
    #expect(end.status == 0 && end.output.contains("told"), "\(end)")
    #expect(folder.names == ["run-1.varve", "run.varve"])
    #expect(try RecordedTrace(folder.file("run-1.varve")).count == 1_000)
  }

  @Test("T6: a window as large as can be said keeps all")
  func boundless() throws {
    #expect(Child.run("boundless", [path, "5000", ""]).status == 0)
    #expect(try RecordedTrace(path).integers(of: 1).elementsEqual(1...5_000))
    var window = Recorder.Window.bytes(.min)
    window.first = .min
    #expect(window.first == 0)
  }

  @Test("T6: a recording that cannot begin leaves nothing behind in memory")
  func leavesNothingMapped() {
    symlink(folder.file("nowhere/run.varve"), path)
    for _ in 0..<3 {
      #expect(throws: TraceFileError.self) {
        _ = try Drain(path: path, options: Recorder.Options(), session: 1)
      }
    }
    let maps = String(decoding: Folder.contents("/proc/self/maps"), as: UTF8.self)
    #expect(!maps.contains(path))
    #expect(folder.names == ["run.varve"])
  }

  @Test(
    "T6: a recording that cannot open as many files as it needs leaves none behind",
    arguments: ["run.varve", "run-%p.varve"])
  func fewFiles(name: String) {
    for files in 0..<50 {
      let end = Child.run("few files", [folder.file(name), "\(files)", ""])
      if end.status == 0 { break }
      #expect(end.code == 3, "\(end)")
      #expect(end.output.contains("Too many open files"), "\(end)")
      #expect(folder.names == [], "with \(files) files")
    }
    #expect(folder.names.count == 1, "\(folder.names)")
  }

  @Test("T3: of very many streams, one that is dead is defined where its last record is")
  func definesTheDead() throws {
    let finished = folder.file("run-1.varve")
    let end = Child.run("bygone", [path, "60000", "policy=block,rotate=64K,ring=64K", finished])
    #expect(end.status == 0, "\(end)")
    var found: [UInt64] = []
    for name in folder.names {
      let trace = try RecordedTrace(folder.file(name), hasGaps: true)
      let told = Set(trace.rings.values.joined().map(\.stream))
      #expect(told.subtracting(trace.streams.keys) == [], "\(name)")
      found += trace.integers(of: 1)
    }
    #expect(found == [1])
    // The others are not carried from file to file for ever.
    #expect(try RecordedTrace(path, hasGaps: true).streams.count < 60_000)
  }

  @Test("T6: of finished files as many are kept as was asked for")
  func rotatesAway() throws {
    let end = Child.run(
      "limited",
      [path, "1", "policy=block,rotate=128K,files=2,ring=64K", "60000", "\(1 << 30)"])
    #expect(end.status == 0, "\(end)")
    #expect(folder.names.count == 3)
    #expect(!folder.names.contains("run-1.varve"))
  }

  @Test("T2: a snapshot is a complete trace of what was recorded before it")
  func snapshot() throws {
    let copy = folder.file("copy.varve")
    let end = Child.run("snapshot", [path, "20000", "policy=block", copy])
    #expect(end.status == 0, "\(end)")
    let snapshot = try RecordedTrace(copy)
    #expect(snapshot.ending == .clean)
    #expect(snapshot.integers(of: 1).elementsEqual(1...20_000))
    #expect(snapshot.streams.count == 1 && snapshot.threads.count == 1)
    #expect(try RecordedTrace(path).integers(of: 1).elementsEqual(1...40_000))
    #expect(folder.names == ["copy.varve", "run.varve"])
  }

  @Test(
    "T5: a snapshot into what is being recorded, by any of its names, is refused",
    arguments: [
      ("run.varve", "run.varve"), ("run.varve", "run.varve-next"), ("run.varve", "link.varve"),
      ("copy.varve-next", "copy.varve"),
    ])
  func snapshotOfItself(trace: String, copy: String) throws {
    symlink("run.varve", folder.file("link.varve"))
    let end = Child.run(
      "snapshot", [folder.file(trace), "20000", "policy=block", folder.file(copy)])
    #expect(end.code == 3 && end.output.contains("is being recorded"), "\(end)")
    let recorded = try RecordedTrace(folder.file(trace))
    #expect(recorded.ending == .clean)
    #expect(recorded.integers(of: 1).elementsEqual(1...20_000))
    #expect(folder.names == ["link.varve", trace].sorted())
  }

  @Test("T5: a snapshot to where another process records is refused")
  func snapshotOverAnother() throws {
    let board = Board(path: folder.file("board"))
    let other = folder.file("other.varve")
    let child = Child("paced", [other, "1", "policy=block", folder.file("board")])
    try child.wait(for: "100 events") { board.acknowledged(by: 0) >= 100 }
    let end = Child.run("snapshot", [path, "2000", "policy=block", other])
    #expect(end.code == 3 && end.output.contains("process \(child.process)"), "\(end)")
    child.kill()
    _ = child.wait()
    let trace = try RecordedTrace(other)
    #expect(trace.integers(of: 1).elementsEqual(1...UInt64(trace.count)))
    #expect(trace.count >= 100)
  }

  @Test("T5: where another process records meanwhile, its trace is left alone")
  func anotherTakesThePath() throws {
    let board = Board(path: folder.file("board"))
    let child = Child("paced", [path, "1", "policy=block", folder.file("board")])
    try child.wait(for: "100 events") { board.acknowledged(by: 0) >= 100 }
    let moved = path + ".moved"
    for ending in ["", "-live"] { rename(path + ending, moved + ending) }
    #expect(Child.run("exit", [path, "1000", ""]).status == 0)
    // The first one looks after its file once in a second.
    sleep(2)
    child.kill()
    _ = child.wait()
    #expect(try RecordedTrace(path).integers(of: 1).elementsEqual(1...1_000))
    #expect(try RecordedTrace(moved).integers(of: 1).starts(with: 1...100))
  }

  @Test(
    "T6: whoever moves the trace away and leaves an empty file there finds the rest in that place")
  func emptyFile() throws {
    let board = Board(path: folder.file("board"))
    let child = Child("paced", [path, "1", "policy=block", folder.file("board")])
    try child.wait(for: "100 events") { board.acknowledged(by: 0) >= 100 }
    rename(path, path + ".moved")
    close(open(path, O_WRONLY | O_CREAT, 0o600))
    // The one that was moved away is completed last.
    try child.wait(for: "a trace and its rest") {
      (try? TraceReader(path: path + ".moved"))?.ending == .clean
    }
    child.kill()
    _ = child.wait()
    let parts = [try RecordedTrace(path + ".moved"), try RecordedTrace(path, hasGaps: true)]
    let values = parts.flatMap { $0.rings.isEmpty ? [] : Array($0.integers(of: 1)) }
    #expect(values == Array(1...UInt64(values.count)))
    #expect(UInt64(values.count) >= board.acknowledged(by: 0))
  }

  @Test("T5: what bears the name of a file's draft and is no trace is left alone")
  func draftIsStrange() throws {
    let strange = path + "-next"
    let file = open(strange, O_WRONLY | O_CREAT, 0o600)
    write(file, "precious", 8)
    close(file)
    let end = Child.run("exit", [path, "60000", "policy=block,rotate=1K,ring=64K"])
    #expect(end.status == 0)
    #expect(Folder.contents(strange) == Array("precious".utf8))
    #expect(try RecordedTrace(path).integers(of: 1).elementsEqual(1...60_000))
  }

  @Test("T5: what a file's draft would be called leads nowhere else")
  func draftIsLink() throws {
    let (copy, precious) = (folder.file("copy.varve"), folder.file("precious.varve"))
    #expect(Child.run("exit", [precious, "1000", ""]).status == 0)
    let before = Folder.contents(precious)
    symlink(precious, copy + "-next")
    #expect(Child.run("snapshot", [path, "2000", "policy=block", copy]).status == 0)
    #expect(Folder.contents(precious) == before)
    #expect(try RecordedTrace(copy).integers(of: 1).elementsEqual(1...2_000))
  }

  @Test(
    "T6: a failure by name, and a value that is swallowed, have a snapshot made",
    arguments: [("failed:log*", "failed"), ("absorbed:repeated", "absorbed")])
  func triggers(trigger: String, what: String) throws {
    let end = Child.run("fail", [path, "5000", "policy=block,snapshot=\(trigger)", what])
    #expect(end.status == 0, "\(end)")
    #expect(folder.names == ["run-snapshot-1.varve", "run.varve"])
    let snapshot = try RecordedTrace(folder.file("run-snapshot-1.varve"))
    let kinds = snapshot.rings.values.flatMap { $0.map(\.kind) }
    #expect(kinds.dropLast().last == RecordKind.failed.rawValue)
    #expect(snapshot.integers(of: 1).elementsEqual(1...5_000))
    #expect(try RecordedTrace(path).integers(of: 1).elementsEqual(1...10_000))
  }

  @Test("T6: a flight recorder of the last seconds has them saved by a failure, and tells the rest")
  func snapshotOfWindow() throws {
    let end = Child.run(
      "windowed", [path, "5000", "keep=3s,first=0,ring=256K,snapshot=failed:log*", "4"])
    #expect(end.status == 0, "\(end)")
    #expect(folder.names == ["run-snapshot-1.varve", "run.varve"])
    let snapshot = try RecordedTrace(folder.file("run-snapshot-1.varve"), hasGaps: true)
    #expect(snapshot.ending == .clean)
    #expect(snapshot.streams[1]?.name == "login")
    #expect(snapshot.integers(of: 1).elementsEqual(5_001...10_000))
    let ring = try #require(snapshot.ring(of: 1))
    let events = try #require(snapshot.rings[ring])
    #expect(events.dropFirst(5_000).first?.kind == RecordKind.failed.rawValue)
    let loss = try #require(snapshot.losses.first)
    #expect(snapshot.losses.count == 1)
    #expect(loss.reason == .notKept && loss.count == 5_000 && loss.ring == ring)
    #expect(try loss.ticks.upperBound < #require(events.first).ticks)
    // What the file was is not changed by that: it grows on until there is something to forget.
    let trace = try RecordedTrace(path, hasGaps: true)
    #expect(trace.integers(of: 1).suffix(5_000).elementsEqual(10_001...15_000))
  }

  @Test("T6: a signal has a snapshot made, and does not end the program")
  func signal() throws {
    let end = Child.run("signalled", [path, "5000", "policy=block,snapshot=USR2"])
    #expect(end.status == 0, "\(end)")
    let snapshot = try RecordedTrace(folder.file("run-snapshot-1.varve"))
    #expect(snapshot.integers(of: 1).elementsEqual(1...5_000))
    #expect(try RecordedTrace(path).integers(of: 1).elementsEqual(1...10_000))
  }

  @Test("T6: each of several signals has a snapshot made, and does not end the program")
  func severalSignals() throws {
    let end = Child.run("signals", [path, "5000", "policy=block,snapshot=USR1,snapshot=USR2"])
    #expect(end.status == 0, "\(end)")
    #expect(folder.names == ["run-snapshot-1.varve", "run-snapshot-2.varve", "run.varve"])
  }

  @Test("T9: each of several signals is put back as it was when recording stops")
  func severalHandlers() throws {
    let end = Child.run("two-signals", [path, "5000", "policy=block"])
    let below = String(repeating: "below\n", count: 5)
    #expect(end.status == 0 && end.output == below, "\(end)")
    #expect(folder.names == ["run-snapshot-1.varve", "run-snapshot-2.varve", "run.varve"])
  }

  @Test("T9: each signal goes to whoever handled it, whichever of them recordings have watched")
  func twoSignals() throws {
    let second = folder.file("second.varve")
    let end = Child.run("handlers", [path, "5000", "snapshot=USR1", second])
    #expect(end.status == 0 && end.output == "above\nbelow\n", "\(end)")
    #expect(folder.names == ["run.varve", "second-snapshot-1.varve", "second.varve"])
  }

  @Test("T6: when somebody removes the file, another takes its place and tells what is missing")
  func removed() throws {
    let end = Child.run("meddle", [path, "8000", "policy=block", "remove"])
    #expect(end.status == 0, "\(end)")
    let trace = try RecordedTrace(path, hasGaps: true)
    #expect(trace.ending == .clean)
    #expect(trace.integers(of: 1).elementsEqual(8_001...16_000))
    let ring = try #require(trace.ring(of: 1))
    #expect(trace.losses.map(\.reason) == [.notKept])
    #expect(trace.losses.first?.count == 8_000 && trace.losses.first?.ring == ring)
    let first = try #require(trace.rings[ring]?.first)
    #expect(try #require(trace.losses.first).ticks.upperBound < first.ticks)
  }

  @Test(
    "T6: when somebody moves the file away, nothing is lost",
    arguments: ["policy=block", "keep=30s"])
  func moved(options: String) throws {
    let end = Child.run("meddle", [path, "8000", options, "move"])
    #expect(end.status == 0, "\(end)")
    let trace = try RecordedTrace(path, hasGaps: true)
    #expect(trace.integers(of: 1).elementsEqual(8_001...16_000))
    #expect(trace.losses.isEmpty)
    let old = try RecordedTrace(path + ".moved")
    #expect(old.ending == .clean)
    #expect(old.integers(of: 1).elementsEqual(1...8_000))
  }

  @Test(
    "T6: where no file may be made any more, recording goes on in the one that there is",
    .enabled(if: getuid() == 0))
  func forbidden() throws {
    let end = Child.run(
      "forbidden", [path, "20000", "policy=block,rotate=1K", folder.path])
    #expect(end.status == 0, "\(end)")
    #expect(end.output.contains("Permission denied"), "\(end)")
    var values: [UInt64] = []
    let finished = folder.names.filter { $0 != "run.varve" }.count
    for name in (1..<finished + 1).map({ "run-\($0).varve" }) + ["run.varve"] {
      values += try RecordedTrace(folder.file(name), hasGaps: true).integers(of: 1)
    }
    #expect(values.elementsEqual(1...40_000))
  }

  @Test(
    "T6: on a disk of 4 MiB the program goes on, and what is missing is told exactly",
    .enabled(if: SmallDisk.isPossible), arguments: ["drop", "block"])
  func smallDisk(policy: String) throws {
    let disk = SmallDisk(folder)
    let end = disk.run(
      "limited", ["2", "policy=\(policy),ring=256K", "400000", "\(1 << 30)"])
    #expect(end.status == 0, "\(end)")
    let trace = try RecordedTrace(folder.file("run.varve"))
    for stream in 1...2 as ClosedRange<UInt32> {
      let ring = try #require(trace.ring(of: stream))
      let recorded = try #require(trace.rings[ring])
      let losses = trace.losses.filter { $0.ring == ring }
      #expect(UInt64(recorded.count) + losses.reduce(0) { $0 + $1.count } == 400_000)
      #expect(losses.reduce(0) { $0 + $1.count } > 0)
      for (index, loss) in losses.enumerated() {
        #expect(!recorded.contains { loss.ticks.contains($0.ticks) })
        if index > 0 { #expect(losses[index - 1].ticks.upperBound < loss.ticks.lowerBound) }
      }
    }
  }
}
