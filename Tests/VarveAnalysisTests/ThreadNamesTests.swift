import Testing
import VarveAnalysis
import VarveFormat

@Suite("Names of threads")
struct ThreadNamesTests {
  @Test("every thread has a name of its own, and a thread's rings share it")
  func names() {
    let threads: [UInt32: ThreadDefinition] = [
      1: ThreadDefinition(ring: 1, systemID: 10, name: "shop"),
      2: ThreadDefinition(ring: 2, systemID: 11, name: "pool"),
      3: ThreadDefinition(ring: 3, systemID: 12, name: "pool"),
      4: ThreadDefinition(ring: 4, systemID: 13, name: ""),
      5: ThreadDefinition(ring: 5, systemID: 14, name: "writer"),
      6: ThreadDefinition(ring: 6, systemID: 14, name: "writer"),
      7: ThreadDefinition(ring: 7, systemID: 15, name: "main"),
      9: ThreadDefinition(ring: 9, systemID: 16, name: "-qos.overcommit"),
      10: ThreadDefinition(ring: 10, systemID: 17, name: "worker"),
    ]
    let names = ThreadNames(threads, pid: 10)
    #expect(
      (1...10).map { names[$0] } == [
        "main", "pool 11", "pool 12", "thread 13", "writer", "writer", "main 15", "ring 8",
        "worker 16", "worker 17",
      ])
  }

  @Test("in a merge, a thread's name begins with its process, whatever its own says")
  func merged() {
    let first: UInt32 = 1 << 24 | 1
    let second: UInt32 = 2 << 24 | 1
    let threads: [UInt32: ThreadDefinition] = [
      first: ThreadDefinition(ring: first, systemID: 10, name: "shop[9] DispatchWorker"),
      second: ThreadDefinition(ring: second, systemID: 20, name: "till[8] -qos.overcommit"),
    ]
    let names = ThreadNames(threads, pid: 0)
    #expect(names[first] == "shop[9] worker" && names[second] == "till[8] worker")
    #expect(threads.values.compactMap(ThreadNames.process).sorted() == ["shop[9]", "till[8]"])
    let processes = ProcessNames(threads.values)
    #expect(processes[1] == "shop[9]" && processes[2] == "till[8]" && processes[3] == nil)
    #expect(processes.numbered.map(\.number) == [1, 2])
    #expect(ProcessNames(threads.values.filter { $0.ring == first })[1] == nil)
    let alone = ThreadDefinition(ring: 1, systemID: 10, name: "shop[9] DispatchWorker")
    #expect(ThreadNames.process(of: alone) == nil)
  }
}
