import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

/// In traces that are too long to be checked beforehand, damage is met as blocks are read: those that
/// hold nothing but records of tasks are read for an answer's tasks alone.
@Suite("Damage among records of tasks")
struct TaskDamageTests {
  private let folder = TemporaryFolder()
  private let whole: String
  private let damaged: String

  /// Numbers without a pattern, the same ones each time.
  private struct Noise {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  init() throws {
    whole = folder.file("whole.varve")
    damaged = folder.file("damaged.varve")
    var script = TraceScript()
    let log = script.stream("log")
    let executor = script.scheduler("executor")
    let worker = script.thread("worker", ring: 2)
    script.taskTemplate(1, name: "fetch")
    for task in 1...40 as ClosedRange<UInt64> {
      let time = Double(task)
      script.record(
        .taskCreated, of: 0, .made(TaskCreationPayload(template: 1, creator: 0)), at: time,
        ring: worker, subscription: task)
      let run = TaskRunPayload(task: task, priority: 25)
      let begun = script.record(
        .hopBegan, of: executor, .task(run), at: time, ring: worker, subscription: task)
      let end = TaskAwaitPayload(awaited: TaskAwait.continuation.rawValue, number: 0)
      script.record(
        .hopEnded, of: executor, .awaited(end), at: time, ring: worker, subscription: task,
        causes: [begun])
    }
    // Bytes that do not pack, until the file is longer than what is checked beforehand.
    var random = Self.Noise()
    for index in 0..<10_000 {
      let words: [UInt64] = (0..<225).map { _ in random.next() }
      let bytes: [UInt8] = words.withUnsafeBytes { Array($0) }
      script.record(.value, of: log, .bytes(bytes), at: Double(100 + index))
    }
    try script.write(to: whole, blockEvents: 60)
    let reader = try TraceReader(path: whole)
    let block = try #require(reader.blocks.last { $0.ring == worker })
    var contents = try Data(contentsOf: URL(fileURLWithPath: whole))
    try #require(contents.count > 1 << 24)
    let last = try #require(block.offset) + block.storedBytes - 1
    contents[Int(last)] ^= 0x55
    try contents.write(to: URL(fileURLWithPath: damaged))
  }

  @Test("F6: streams --open and diff report damage that only their tasks meet, and end with 4")
  func verbs() throws {
    for words in [["streams", "--open"], ["diff", whole]] {
      let run = try CommandRun(words + [damaged])
      #expect(run.status == 4, "\(words) \(run.output)")
      let told = run.errors.split(separator: "\n").filter { $0.contains("passed over a block") }
      #expect(told.count == 1, "\(run.errors)")
      let intact = try CommandRun(words + [whole])
      #expect(intact.status == 0, "\(intact.errors)")
      #expect(!intact.errors.contains("passed over"))
    }
  }
}
