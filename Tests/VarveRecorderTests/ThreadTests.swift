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

  @Test("T9: the child of a fork goes on, records nothing and keeps nothing of its parent's")
  func fork() throws {
    let end = Child.run("fork", [folder.file("of-%p.varve"), "4000", "policy=block"])
    #expect(end.status == 0, "\(end.output)")
    #expect(end.output == "records false, open 0\nrefused\n")
    #expect(folder.names.count == 1)
    let trace = try RecordedTrace(folder.file(try #require(folder.names.first)))
    #expect(trace.integers(of: 1).elementsEqual(1...8_000))
    #expect(trace.count == 8_000)
    #expect(trace.ending == .clean)
  }

  /// Each program forks while its drain thread may be making types for the first time.
  @Test("T9: no fork leaves the child a lock of the runtime that the drain thread held")
  func coldForks() throws {
    for round in 1...40 {
      let end = Child.run("fork", [folder.file("\(round).varve"), "1000", "policy=block"])
      #expect(end.status == 0, "round \(round): \(end.output)")
    }
    #expect(folder.names.count == 40)
  }

  @Test(
    "T9: a fork waits for no disk",
    .enabled(if: CProgram.canBeMade, "not run: there is no clang to make a library with"))
  func forkWhileWriting() throws {
    let disk = try CProgram.make(
      Self.deafDisk, as: "disk.so", in: folder, options: ["-fPIC", "-shared"])
    let sign = folder.file("hangs")
    let child = Child(
      "fork hung", [path, "400000", "policy=drop,ring=64K", sign],
      environment: ["LD_PRELOAD": disk, "DEAF_DISK": sign])
    #expect(child.wait().status == 0)
  }

  /// A disk on which the tenth block is written for ever.
  private static let deafDisk = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <stdlib.h>
    #include <unistd.h>
    ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
      static ssize_t (*next)(int, const void *, size_t, off_t);
      static int calls;
      if (!next) next = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
      if (++calls < 10) return next(file, bytes, count, offset);
      close(open(getenv("DEAF_DISK"), O_WRONLY | O_CREAT, 0600));
      while (1) pause();
    }

    """

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
    #expect(folder.names.count == 1)
    let trace = try RecordedTrace(folder.file(try #require(folder.names.first)))
    #expect(trace.ending == .clean && trace.losses.isEmpty)
    for stream in [1, 2] as [UInt32] {
      let values = trace.integers(of: stream)
      #expect(values.elementsEqual(1...UInt64(values.count)))
    }
    #expect(trace.streams[9] == nil)
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
