import Glibc
import Testing
import VarveFormat

/// Kills a program that records at full rate, and looks what is left.
@Suite(.serialized) struct KillTests {
  private static let threads = 2

  /// How often; `VARVE_KILLS` asks for more.
  private static let kills = getenv("VARVE_KILLS").flatMap { Int(String(cString: $0)) } ?? 24

  @Test("T5: kill -9 loses no event that send returned from, doubles none, keeps their order")
  func killWhileBlocking() throws {
    var recorded = 0
    for _ in 0..<Self.kills {
      let scene = Scene(policy: "block")
      let due = UInt64.random(in: 60_000...250_000)
      try scene.killOnce { board in
        let acknowledged = (0..<Self.threads).map { board.acknowledged(by: $0) }
        return acknowledged.allSatisfy { $0 > 0 } && acknowledged.reduce(0, +) >= due
      }
      let trace = try RecordedTrace(scene.path)
      for thread in 0..<Self.threads {
        let values = trace.integers(of: UInt32(thread + 1))
        #expect(values.elementsEqual(1...UInt64(max(values.count, 1))))
        // The last one may have been recorded and not acknowledged yet.
        let acknowledged = scene.board.acknowledged(by: thread)
        #expect(acknowledged...acknowledged + 1 ~= UInt64(values.count))
        #expect(trace.streams[UInt32(thread + 1)]?.name == "thread \(thread)")
      }
      #expect(trace.losses.isEmpty)
      #expect(trace.ending == .killed)
      recorded += trace.count
    }
    #expect(recorded / Self.kills >= 100_000)
  }

  @Test("T6: what is missing after kill -9 is exactly what the trace says is missing")
  func killWhileDropping() throws {
    var lost: UInt64 = 0
    for _ in 0..<max(Self.kills / 3, 4) {
      let scene = Scene(policy: "drop,ring=64K")
      let due = UInt64.random(in: 60_000...400_000)
      try scene.killOnce { board in
        let acknowledged = (0..<Self.threads).map { board.acknowledged(by: $0) }
        return acknowledged.allSatisfy { $0 > 0 } && acknowledged.reduce(0, +) >= due
      }
      let trace = try RecordedTrace(scene.path)
      for thread in 0..<Self.threads {
        let values = trace.integers(of: UInt32(thread + 1))
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
        let ring = try #require(trace.ring(of: UInt32(thread + 1)))
        let missing = trace.losses.filter { $0.ring == ring }.reduce(0) { $0 + $1.count }
        let acknowledged = scene.board.acknowledged(by: thread)
        #expect(acknowledged...acknowledged + 1 ~= UInt64(values.count) + missing)
        lost += missing
      }
    }
    #expect(lost > 0, "the writer kept up: this has proved nothing")
  }

  @Test("T5: kill -9 while a recording begins leaves a trace that can be read, or none")
  func killAtTheBeginning() throws {
    for _ in 0..<Self.kills {
      let scene = Scene(policy: "block")
      try scene.killAfter(microseconds: UInt32.random(in: 500...25_000))
      let acknowledged = (0..<Self.threads).map { scene.board.acknowledged(by: $0) }
      guard acknowledged != [0, 0] || !Folder.contents(scene.path).isEmpty else { continue }
      let outcome = Result { try RecordedTrace(scene.path) }
      guard acknowledged != [0, 0] else { continue }
      let trace = try outcome.get()
      for thread in 0..<Self.threads {
        let values = trace.integers(of: UInt32(thread + 1))
        #expect(values.elementsEqual(1..<UInt64(values.count + 1)))
        #expect(acknowledged[thread]...acknowledged[thread] + 1 ~= UInt64(values.count))
      }
    }
  }
}

/// A program that records until it is killed.
private struct Scene {
  let folder = Folder()
  let board: Board
  private let child: Child

  init(policy: String) {
    board = Board(path: folder.file("board"))
    child = Child(
      "forever", [folder.file("run.varve"), "2", "policy=\(policy)", folder.file("board")])
  }

  var path: String { folder.file("run.varve") }

  /// Kills the program a moment after the board shows what is waited for.
  func killOnce(_ isDue: (Board) -> Bool) throws {
    while !isDue(board) {
      usleep(200)
      try #require(kill(child.process, 0) == 0)
    }
    usleep(UInt32.random(in: 0...3_000))
    try finish()
  }

  /// Kills the program so long after its start.
  func killAfter(microseconds: UInt32) throws {
    usleep(microseconds)
    try finish()
  }

  private func finish() throws {
    child.kill()
    let end = child.wait()
    try #require(end.signal == SIGKILL, "\(end.output)")
  }
}
