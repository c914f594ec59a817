import Testing
import VarveFormat
import VarvePlatform

/// What happens when the writer cannot keep up, or cannot write.
@Suite struct LossTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }

  @Test("T6: the trace tells how many events of which thread are missing, and when")
  func drops() throws {
    let end = Child.run("overrun", [path, "3", "ring=64K", "100000"])
    #expect(end.status == 0, "\(end.output)")
    let trace = try RecordedTrace(path)
    #expect(trace.ending == .clean)
    for stream in 1...3 as ClosedRange<UInt32> {
      let events = try #require(sent(on: stream, end.output))
      let ring = try #require(trace.ring(of: stream))
      let losses = trace.losses.filter { $0.ring == ring }
      let recorded = try #require(trace.rings[ring])
      #expect(UInt64(recorded.count) + losses.reduce(0) { $0 + $1.count } == events)
      #expect(!losses.isEmpty)
      checkIntervals(losses, recorded, events: events)
    }
  }

  @Test("T6: a record that the program has overwritten costs what lies behind it, and nothing else")
  func strayWrite() throws {
    let end = Child.run("stray", [path, "1000", "policy=block"])
    #expect(end.status == 0, "\(end)")
    #expect(folder.names == ["run.varve"])
    let trace = try RecordedTrace(path, hasGaps: true)
    #expect(trace.ending == .clean)
    #expect(trace.integers(of: 2).elementsEqual(1...1_000))
    #expect(trace.integers(of: 1).elementsEqual(Array(1...500) + Array(1_001...2_000)))
    #expect(trace.losses.map(\.count) == [500] && trace.losses.map(\.reason) == [.notKept])
  }

  /// How many events the program says that it has sent on a stream.
  private func sent(on stream: UInt32, _ output: String) -> UInt64? {
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "sent", words[1] == "\(stream)" else { continue }
      return UInt64(words[2])
    }
    return nil
  }

  /// Between two events that follow each other, as many are missing as the losses of that time say.
  private func checkIntervals(
    _ losses: [TraceLoss], _ recorded: [RecordedTrace.Event], events: UInt64
  ) {
    var gaps: [(from: UInt64, to: UInt64, missing: UInt64)] = []
    var before = (word: UInt64(0), ticks: UInt64(0))
    for event in recorded {
      if event.word != before.word + 1 {
        gaps.append((before.ticks, event.ticks, event.word - before.word - 1))
      }
      before = (event.word, event.ticks)
    }
    if before.word < events { gaps.append((before.ticks, .max, events - before.word)) }
    for gap in gaps {
      let inside = losses.filter { gap.from < $0.ticks.lowerBound && $0.ticks.upperBound < gap.to }
      #expect(inside.reduce(0) { $0 + $1.count } == gap.missing)
    }
    #expect(gaps.reduce(0) { $0 + $1.missing } == losses.reduce(0) { $0 + $1.count })
  }

  @Test("T6: with the policy to block nothing is lost at full rate")
  func blocks() throws {
    let events: UInt64 = 300_000
    let end = Child.run("threads", [path, "3", "policy=block,ring=64K", "\(events)"])
    #expect(end.status == 0, "\(end.output)")
    let trace = try RecordedTrace(path)
    #expect(trace.losses.isEmpty)
    for stream in 1...3 as ClosedRange<UInt32> {
      #expect(trace.integers(of: stream).elementsEqual(1...events))
    }
  }

  @Test(
    "T6: when the disk is full the program goes on, and the loss is told",
    arguments: ["drop", "block"])
  func fullDisk(policy: String) throws {
    let events: UInt64 = 200_000
    let end = Child.run(
      "limited", [path, "2", "policy=\(policy),ring=64K", "\(events)", "\(1 << 20)"])
    #expect(end.status == 0, "\(end)")
    let trace = try RecordedTrace(path)
    #expect(trace.ending == .clean)
    for stream in 1...2 as ClosedRange<UInt32> {
      let ring = try #require(trace.ring(of: stream))
      let missing = trace.losses.filter { $0.ring == ring }.reduce(0) { $0 + $1.count }
      #expect(missing > 0)
      #expect(UInt64(trace.rings[ring]?.count ?? 0) + missing == events)
    }
    #expect(Folder.contents(path).count <= 1 << 20)
  }

  @Test("T6: a file is tried again in time however many threads call meanwhile")
  func calling() throws {
    let end = Child.run("calling", [path, "12", "policy=drop,ring=64K"])
    #expect(end.status == 0, "\(end)")
    #expect(try RecordedTrace(path).ending == .clean)
  }

  @Test(
    "T6: threads for which there is no ring count what they lose, a flight recorder's as well",
    arguments: ["policy=drop", "keep=4M", "keep=64K,first=0"])
  func noRings(policy: String) throws {
    // Room for the sidecar's header, the log and a few rings; not for thirty.
    let end = Child.run("limited", [path, "30", "\(policy),ring=64K", "1000", "\(800 << 10)"])
    #expect(end.status == 0, "\(end)")
    let trace = try RecordedTrace(path, hasGaps: policy != "policy=drop")
    let missing = trace.losses.reduce(0) { $0 + $1.count }
    #expect(UInt64(trace.count) + missing == 30_000)
    #expect(missing > 0)
    for loss in trace.losses where loss.ring != 0 { #expect(trace.threads[loss.ring] != nil) }
  }

  @Test(
    "T6: of six hundred threads without a ring, each one's losses are told, by its name",
    arguments: ["policy=drop", "policy=block", "keep=64K"], ["end", "kill"])
  func manyWithoutRings(policy: String, end: String) throws {
    let play = Child.run("ringless", [path, "600", "\(policy),ring=64K", "\(800 << 10)", end])
    #expect(end == "kill" ? play.signal == SIGKILL : play.status == 0, "\(play)")
    let trace = try RecordedTrace(path, hasGaps: policy == "keep=64K")
    var events: [String: UInt64] = [:]
    for (ring, recorded) in trace.rings {
      events[try #require(trace.threads[ring]).name, default: 0] += UInt64(recorded.count)
    }
    for loss in trace.losses {
      events[try #require(trace.threads[loss.ring]).name, default: 0] += loss.count
      #expect(loss.ticks.lowerBound < loss.ticks.upperBound || loss.count == 1)
    }
    #expect(events.count == 600)
    for (name, count) in events { #expect(count == UInt64(name), "thread \(name)") }
    #expect(trace.losses.count > 500)
  }

  @Test("T6: a thread that has ended leaves its place among those without a ring to others")
  func generationsWithoutRings() throws {
    let play = Child.run(
      "ringless generations", [path, "6000", "policy=drop,ring=64K", "\(800 << 10)"])
    #expect(play.status == 0, "\(play)")
    let trace = try RecordedTrace(path)
    #expect(!trace.losses.contains { $0.ring == 0 })
    let missing = trace.losses.reduce(0) { $0 + $1.count }
    #expect(UInt64(trace.count) + missing == 18_030)
    #expect(trace.losses.filter { $0.count == 3 }.count > 4_096)
  }

  @Test("T6: where there is no place for a thread's own losses, they count among all others'")
  func tooManyWithoutRings() throws {
    let play = Child.run("untold generations", [path, "5000", "policy=drop,ring=64K"])
    #expect(play.status == 0, "\(play)")
    let trace = try RecordedTrace(path)
    let missing = trace.losses.reduce(0) { $0 + $1.count }
    #expect(UInt64(trace.count) + missing == 15_001)
    let alone = trace.losses.filter { $0.ring != 0 && $0.count == 3 }
    #expect(alone.count == 4_096 && Set(alone.map(\.ring)).count == 4_096)
    #expect(trace.losses.contains { $0.ring == 0 })
  }

  @Test("T6: threads for whose rings no number is left lose nothing in silence")
  func moreRingsThanNumbers() throws {
    for policy in ["policy=drop", "policy=block"] {
      let play = Child.run("numberless", [path, "8", policy, "3"])
      #expect(play.status == 0, "\(play)")
      let trace = try RecordedTrace(path)
      #expect(trace.rings.count == 3)
      #expect(trace.rings.values.allSatisfy { $0.count == 10 })
      // They may be told in several pieces, as the drain thread comes by.
      #expect(Set(trace.losses.map(\.ring)) == [0])
      #expect(trace.losses.reduce(0) { $0 + $1.count } == 50)
    }
  }

  @Test("T6: a snapshot tells of the losses of threads that go on")
  func snapshotWhileLosing() throws {
    let second = folder.file("second.varve")
    let play = Child.run(
      "losing snapshot",
      [path, "40", "policy=drop,ring=64K", "20000", "\(800 << 10)", second])
    #expect(play.status == 0, "\(play)")
    for path in [second, path] {
      let trace = try RecordedTrace(path)
      let missing = trace.losses.reduce(0) { $0 + $1.count }
      #expect(UInt64(trace.count) + missing == 800_000, "\(path)")
      #expect(Set(trace.losses.map(\.ring)).count > 30)
      #expect(trace.losses.allSatisfy { trace.threads[$0.ring] != nil })
    }
  }
}
