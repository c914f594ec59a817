import Testing
import VarveFormat
import VarvePlatform

/// One run of the play `send` that ends by `kill -9`, and what is left of it.
struct Killing {
  let folder = Folder()
  var threads = 2
  var manner = ""
  var options = "policy=block"
  /// Where the program kills itself: a milestone of the recorder and the turn; empty for nowhere.
  var milestone = ""

  /// How often a test kills: `VARVE_KILLS` asks for so many kills of all tests together, of which
  /// so many of ten thousand are this one's. Those at a random time are as many; those at milestones
  /// come in addition.
  static func count(usual: Int, ofTenThousand share: Int) -> Int {
    let asked = getenv("VARVE_KILLS").flatMap { Int(String(cString: $0)) }
    return max(usual, ((asked ?? 0) * share + 9_999) / 10_000)
  }

  /// What has to have happened before the program is killed, beside its sending.
  enum Condition {
    case nothing
    /// It was told that an event is lost.
    case loss
    /// Another file has taken the place of the first.
    case replacement
  }

  var path: String { folder.file("run.varve") }

  /// The finished files of a rotation, oldest first.
  private var finished: [String] {
    (1..<10_000).lazy.map { folder.file("run-\($0).varve") }
      .prefix { access($0, F_OK) == 0 }.map { $0 }
  }

  private func start(_ board: Board) -> Child {
    Child("send", [path, "\(threads)", options, folder.file("board"), manner, milestone])
  }

  /// Which file lies at the trace's path; nil for none.
  private var file: UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  private func acknowledged(_ board: Board) -> [UInt64] {
    (0..<threads).map { board.acknowledged(by: $0) }
  }

  /// Kills the program soon after it has sent so many events, some of them by each thread; returns
  /// what each thread had sent for sure.
  func kill(after due: UInt64, once condition: Condition = .nothing) throws -> [UInt64] {
    let board = Board(path: folder.file("board"))
    let child = start(board)
    var firstFile: UInt64?
    try child.wait(for: "\(due) events and \(condition), \(self)") {
      let sent = acknowledged(board)
      if firstFile == nil { firstFile = file }
      let isMet =
        switch condition {
        case .nothing: true
        case .loss: board.losses > 0
        case .replacement: firstFile != nil && file != nil && file != firstFile
        }
      return isMet && sent.reduce(0, +) >= due && sent.allSatisfy({ $0 > 0 })
    }
    usleep(UInt32.random(in: 0...1_000))
    child.kill()
    let end = child.wait()
    try #require(end.signal == SIGKILL, "\(end.output)")
    return acknowledged(board)
  }

  /// Kills the program so long after its start.
  func kill(afterMicroseconds delay: UInt32) throws -> [UInt64] {
    let board = Board(path: folder.file("board"))
    let child = start(board)
    usleep(delay)
    child.kill()
    let end = child.wait()
    try #require(end.signal == SIGKILL, "\(end.output)")
    return acknowledged(board)
  }

  /// Waits until the program has killed itself.
  func dieAtMilestone() throws -> [UInt64] {
    let board = Board(path: folder.file("board"))
    let end = start(board).wait()
    try #require(end.signal == SIGKILL, "\(milestone) was not passed: \(end)")
    return acknowledged(board)
  }

  /// Checks that the trace has everything that `send` had returned from, in order and once.
  func checkComplete(_ acknowledged: [UInt64]) throws -> UInt64 {
    let survivors = try Survivors(path, finished: finished)
    check(survivors.flaws)
    for (thread, sent) in acknowledged.enumerated() {
      switch survivors.last(of: thread) {
      // The last one may have been recorded and not acknowledged yet.
      case .success(let last): #expect(sent...sent + 1 ~= last, "\(self)")
      case .failure(let gap): Issue.record("\(gap) \(self)")
      }
    }
    #expect(survivors.losses.isEmpty)
    return survivors.count
  }

  /// Checks that what is missing is exactly what the trace says is missing; returns how much.
  ///
  /// - Parameter hasLatest: whether each thread's last events have to be there.
  func checkAccounted(_ acknowledged: [UInt64], hasLatest: Bool = false) throws -> UInt64 {
    var survivors = try Survivors(path, finished: finished)
    for (thread, sent) in acknowledged.enumerated() {
      // A thread that never had a ring has no events.
      guard let accounted = survivors.accounted(thread: thread) else { continue }
      if hasLatest { #expect(sent...sent + 1 ~= survivors.latest(of: thread), "\(self)") }
      #expect(sent...sent + 1 ~= accounted, "\(self)")
    }
    let sent = acknowledged.reduce(0, +)
    #expect(sent...sent + UInt64(threads) ~= survivors.count + survivors.missing, "\(self)")
    check(survivors.flaws)
    return survivors.missing
  }

  private func check(_ flaws: [String]) {
    let count = flaws.count
    #expect(count == 0, "\(flaws.prefix(5)) \(self)")
  }
}

extension Killing: CustomTestStringConvertible, CustomStringConvertible {
  var description: String { "\(threads) threads, '\(manner)', \(options), \(milestone)" }
  var testDescription: String { description }
}
