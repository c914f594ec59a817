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
}
