import Testing
import VarveFormat
import VarvePlatform
import VarveProbe

/// Threads and processes that come and go while recording.
@Suite struct ThreadTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }

  @Test("T5: threads that end leave nothing behind unrecorded, and give their rings back")
  func generations() throws {
    let end = Child.run("generations", [path, "2000", "policy=block,ring=64K"])
    #expect(end.status == 0, "\(end.output)")
    let trace = try RecordedTrace(path)
    #expect(trace.rings.count == 2_000)
    #expect(trace.rings.values.allSatisfy { $0.map(\.word) == [1, 2, 3] })
    #expect(trace.threads.count == 2_000)
    #expect(trace.streams.count == 2_000)
  }

  @Test("T5: two thousand threads that live at once are recorded")
  func crowd() throws {
    let end = Child.run("crowd", [path, "2000", "policy=block,ring=64K"])
    #expect(end.status == 0, "\(end.output)")
    let trace = try RecordedTrace(path)
    #expect(trace.rings.count == 2_000)
    #expect(trace.rings.values.allSatisfy { $0.map(\.word) == [1, 2, 3] })
    #expect(Set(trace.threads.values.map(\.systemID)).count == 2_000)
  }

  @Test("T6: of two thousand threads at once, dropping, nothing is lost in silence")
  func crowdDropping() throws {
    let end = Child.run("crowd", [path, "2000", "policy=drop,ring=64K"])
    #expect(end.status == 0, "\(end.output)")
    let trace = try RecordedTrace(path)
    var events = trace.rings.mapValues { UInt64($0.count) }
    for loss in trace.losses { events[loss.ring, default: 0] += loss.count }
    #expect(events.count == 2_000 && events.values.allSatisfy { $0 == 3 })
    #expect(events.keys.allSatisfy { trace.threads[$0] != nil })
  }

  @Test("the child of a fork leaves its parent's trace alone and records into a file of its own")
  func fork() throws {
    let end = Child.run("fork", [folder.file("of-%p.varve"), "4000", "policy=block"])
    #expect(end.status == 0, "\(end.output)")
    let traces = try folder.names.map { try RecordedTrace(folder.file($0)) }
    #expect(traces.count == 2)
    let parent = try #require(traces.first { $0.streams[1] != nil })
    let child = try #require(traces.first { $0.streams[2] != nil })
    #expect(parent.integers(of: 1).elementsEqual(1...8_000))
    #expect(parent.count == 8_000)
    #expect(child.integers(of: 2).elementsEqual(1_001...5_000))
    #expect(child.count == 4_000)
    #expect(parent.ending == .clean && child.ending == .clean)
    #expect(parent.header.process.pid != child.header.process.pid)
  }

  /// Each program forks while its drain thread may be making types for the first time.
  @Test("T5: no fork leaves the child a lock of the runtime that the drain thread held")
  func coldForks() throws {
    for round in 1...40 {
      let end = Child.run("fork", [folder.file("\(round)-of-%p.varve"), "1000", "policy=block"])
      #expect(end.status == 0, "round \(round): \(end.output)")
    }
    #expect(folder.names.count == 80)
  }

  @Test("T5: no child of a fork hangs where its drain thread needs the types that it makes")
  func firstUses() throws {
    let end = Child.run("firstUses", [folder.file("of-%p.varve"), "25", "policy=block,ring=64K"])
    #expect(end.status == 0, "\(end)")
    #expect(folder.names.count == 26)
  }

  @Test(
    "T7: what was asked to be private stays private in the child of a fork",
    arguments: ["parent", "child"])
  func forkPrivately(who: String) throws {
    let child = Child("forkPrivately", [folder.file("of-%p.varve"), "300", "", who])
    let end = child.wait()
    #expect(end.status == 0, "\(end.output)")
    let name = try #require(folder.names.first { $0 != "of-\(child.process).varve" })
    let events = try RecordedTrace(folder.file(name)).rings.values.joined()
      .filter { $0.kind == RecordKind.value.rawValue }
    #expect(events.count == 300)
    #expect(events.allSatisfy { $0.payload == PayloadKind.withheld.rawValue })
  }

  @Test("the child of a fork records nothing when there is no file for it")
  func forkWithoutFile() throws {
    let end = Child.run("fork", [path, "4000", "policy=block"])
    #expect(end.status == 0, "\(end.output)")
    #expect(folder.names == ["run.varve"])
    let trace = try RecordedTrace(path)
    #expect(trace.integers(of: 1).elementsEqual(1...8_000))
    #expect(trace.count == 8_000)
  }

  @Test("children that run another program leave no files")
  func spawn() throws {
    let end = Child.run("spawn", [folder.file("of-%p.varve"), "5", ""])
    #expect(end.status == 0, "\(end.output)")
    #expect(folder.names.count == 1)
  }

  @Test("T5: forks while threads send at full rate harm neither parent nor children")
  func forksUnderLoad() throws {
    let end = Child.run("forks", [folder.file("of-%p.varve"), "12", "policy=block"])
    #expect(end.status == 0, "\(end)")
    let traces = try folder.names.map { try RecordedTrace(folder.file($0)) }
    #expect(traces.count == 13)
    for trace in traces {
      #expect(trace.ending == .clean && trace.losses.isEmpty)
      let isParent = trace.streams[1] != nil
      for stream in isParent ? [1, 2] : [9] {
        let values = trace.integers(of: UInt32(stream))
        #expect(values.elementsEqual(1...UInt64(isParent ? values.count : 100)))
      }
    }
  }

  @Test("T9: no fork leaves the child a lock of the list of streams that another thread held")
  func forksWhileStreamsAreMade() throws {
    let end = Child.run("births", [folder.file("of-%p.varve"), "50", "policy=drop"])
    #expect(end.status == 0, "\(end)")
  }

  @Test("T5: what was recorded before the program ran another in its place is in the trace")
  func exec() throws {
    #expect(Child.run("exec", [path, "9000", "policy=block"]).status == 0)
    let trace = try RecordedTrace(path)
    #expect(trace.integers(of: 1).elementsEqual(1...9_000))
    #expect(trace.ending == .killed)
  }

  @Test("T3: a thread that lends itself to schedulers is called after the only one, or a worker")
  func schedulers() throws {
    let end = Child.run("queues", [path, "200", "policy=block"])
    #expect(end.status == 0, "\(end)")
    let trace = try RecordedTrace(path)
    let workers = trace.threads.values.filter { $0.systemID != UInt64(trace.header.process.pid) }
    #expect(!workers.isEmpty)
    let names = Set(workers.map(\.name))
    #expect(names.isSubset(of: ["search", "index", "worker"]), "\(names)")

  }
}
