import Testing
import VarvePlatform

/// What recording costs the program beside time.
@Suite(.serialized) struct FigureTests {
  private let folder = Folder()
  private var path: String { folder.file("run.varve") }

  @Test("recording takes at most 2 MB and 1.5 MB a live thread", arguments: [1, 4, 40])
  func memory(threads: Int) throws {
    let end = Child.run("memory", [path, "\(threads)", "policy=block"])
    #expect(end.status == 0, "\(end)")
    let bytes = try #require(Int(end.output.filter { $0.isNumber }))
    // The threads' own stacks and the heap's arenas are in it, too.
    print("memory: \(threads) threads, \(bytes >> 10) KiB")
    #expect(bytes <= 2_000_000 + threads * 1_500_000)
  }

  @Test("the drain thread sleeps in silence, and at a million events a second wakes by threshold")
  func wakes() throws {
    let end = Child.run("wakes", [path, "1000", "policy=block"])
    #expect(end.status == 0, "\(end)")
    let counts = end.output.split { !$0.isNumber }.compactMap { Int($0) }
    try #require(counts.count == 2)
    print(
      "drain thread: woken \(counts[0]) times in a second of silence, \(counts[1]) at 1 M events/s")
    #expect(counts[0] <= 5)
    // A million events take 40 MB; it is called for every half megabyte.
    #expect(counts[1] < 400)
  }
}
