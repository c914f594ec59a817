import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Guesses about tasks that come in an order, or instead of each other, as somebody may not have meant.
@Suite("Suspicions about the order of tasks")
struct TaskOrderTests {
  private func suspicions(_ script: TaskScript) throws -> [Finding] {
    try script.with { TaskSuspicions($0, Symbolizer($0.definitions, looksUp: false)).wrong() }
  }

  /// A group of three children, which end in an order. Its task takes their results one by one, or
  /// waits for all.
  private func group(_ ends: [UInt64], isOneByOne: Bool = true) -> TaskScript {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for child in [2, 3, 4] as [UInt64] { script.create(child, by: 1, template: 2, at: 2) }
    for child in ends { script.begin(child, at: 3, ring: UInt32(child)) }
    script.end(1, .group, at: 4)
    for (index, child) in ends.enumerated() {
      let time = Double(5 + 3 * index)
      script.end(child, .nothing, at: time, stack: 0)
      guard isOneByOne || index == 2 else { continue }
      script.schedule(1, at: time + 1, ring: UInt32(child))
      script.begin(1, at: time + 2)
      script.end(1, index == 2 ? .nothing : .group, at: time + 2.5, stack: index == 2 ? 0 : 8)
    }
    return script
  }

  @Test("G1: results of a group that are taken one by one come in the order of the ends")
  func groups() throws {
    let found = try suspicions(group([3, 2, 4]))
    #expect(found.map(\.kind) == [.overtaken])
    #expect(found.first?.place == .stack(8))
    #expect(try suspicions(group([2, 3, 4])).isEmpty)
    #expect(try suspicions(group([3, 2, 4], isOneByOne: false)).isEmpty)
  }

  /// Tasks of the names, each of which is made right after the one before was cancelled.
  private func replacements(_ names: [String], pausing: Bool = false) -> TaskScript {
    var script = TaskScript()
    for (index, name) in names.enumerated() {
      let (time, task) = (Double(index * 10), UInt64(index + 2))
      script.script.taskTemplate(UInt32(10 + index), .task, name: name, stack: 7)
      if index > 0 { script.cancel(task - 1, at: time) }
      if pausing {
        script.begin(1, at: time + 0.1)
        script.end(1, .continuation, at: time + 0.2)
      }
      script.create(task, by: 1, template: UInt32(10 + index), at: time + 1)
      script.begin(task, at: time + 2, ring: 2)
      script.end(task, .continuation, at: time + 3, stack: 0)
    }
    return script
  }

  @Test("G1: a task that is cancelled for one of another name is told, if names come again")
  func replaced() throws {
    let found = try suspicions(replacements(["soup", "soup", "cake", "cake"]))
    #expect(found.map(\.kind) == [.partial])
    #expect(found.first?.place == .stack(8) && found.first?.evidence == ["1.6"])
    // That of the first name is done later, that of the second is not.
    let again = try suspicions(replacements(["soup", "soup", "cake", "cake", "soup"]))
    #expect(again.map(\.evidence) == [["1.12"]])
    // Each has a name of its own; the next one is made by the same code, but later.
    #expect(try suspicions(replacements(["soup", "soups", "soup s"])).isEmpty)
    // A name that comes once may be that of one request.
    #expect(try suspicions(replacements(["soup", "soup", "cake"])).isEmpty)
    #expect(try suspicions(replacements(["soup", "soup", "cake", "cake"], pausing: true)).isEmpty)
  }

  /// A task that waits for the elements of a stream and is cancelled, and a later one of the same code.
  private func loops(
    through function: String = "AsyncStream._Storage.next()", isCancelled: Bool = true,
    waits: Bool = false
  ) -> TaskScript {
    var script = TaskScript()
    script.script.module(1, "/usr/lib/libswift_Concurrency.so", 0x5000..<0x6000)
    script.script.code(0x5100, function, line: 0)
    script.script.code(0x2100, "follow()", line: 3)
    script.script.stack(9, [0x5100, 0x2100])
    script.script.taskTemplate(3, .task, stack: 7)
    script.create(1, template: 3, at: 0)
    script.begin(1, at: 1)
    script.end(1, .continuation, at: 2, stack: 9)
    if isCancelled { script.cancel(1, at: 3) }
    script.schedule(1, at: 4)
    script.begin(1, at: 5)
    script.end(1, .nothing, at: 6, stack: 0)
    script.create(2, template: 3, at: 10)
    script.begin(2, at: 11)
    if waits {
      script.end(2, .continuation, at: 12, stack: 9)
      script.schedule(2, at: 13)
      script.begin(2, at: 14)
    }
    script.end(2, .nothing, at: 15, stack: 0)
    return script
  }

  @Test("G1: a stream that ended with a cancelled task gives a later one of the same code nothing")
  func endedStreams() throws {
    let found = try suspicions(loops())
    #expect(found.map(\.place) == [.stack(9)] && found.map(\.kind) == [.partial])
    #expect(try suspicions(loops(through: "Task.sleep(nanoseconds:)")).isEmpty)
    #expect(try suspicions(loops(isCancelled: false)).isEmpty)
    #expect(try suspicions(loops(waits: true)).isEmpty)
  }

  /// A task that yields over and over; of so many times, each takes the same time.
  private func yielding(_ times: Int, every milliseconds: Double, byItself: Bool = true)
    -> TaskScript
  {
    var script = TaskScript()
    script.create(1, at: 0)
    script.begin(1, at: 1)
    for round in 0..<times {
      let time = 2 + Double(round) * milliseconds
      script.end(1, .continuation, at: time)
      script.schedule(1, at: time, ring: byItself ? 1 : 2)
      script.begin(1, at: time + milliseconds / 2)
    }
    return script
  }

  @Test("G1: a task that yields thousands of times and does nothing between asks again and again")
  func polling() throws {
    let found = try yielding(3_000, every: 0.05).findings()
    #expect(found.map(\.kind) == [.storm] && found.first?.place == .stack(8))
    #expect(found.first?.count == 3_000)
    #expect(try yielding(1_000, every: 0.1).findings().isEmpty)
    #expect(try yielding(3_000, every: 1).findings().isEmpty)
    #expect(try yielding(3_000, every: 0.05, byItself: false).findings().isEmpty)
  }

  @Test("G1: a task that nobody awaits, and that has not ended when the program does, is told")
  func unfinished() throws {
    func found(ends: Bool, isAwaited: Bool = false, hasEnded: Bool = true) throws -> [Finding] {
      var script = TaskScript()
      script.script.taskTemplate(3, .task, stack: 7)
      script.create(1, at: 0)
      script.begin(1, at: 1)
      script.create(2, by: 1, template: 3, at: 2)
      script.begin(2, at: 3, ring: 2)
      script.end(2, ends ? .nothing : .continuation, at: 4, stack: ends ? 0 : 8)
      if isAwaited { script.end(1, .task, number: 2, at: 5) }
      return try script.with { TaskSuspicions($0, hasEnded: hasEnded).wrong() }
    }
    #expect(try found(ends: false).map(\.place) == [.stack(7)])
    #expect(try found(ends: true).isEmpty)
    #expect(try found(ends: false, isAwaited: true).isEmpty)
    #expect(try found(ends: false, hasEnded: false).isEmpty)
  }

  @Test(
    "G1: two tasks of one making that loop side by side, and were made at different times, are told"
  )
  func parallelLoops() throws {
    func found(
      apart: Double, cancels: Bool = false, waitsTwice: Bool = false
    ) throws -> [Finding] {
      var script = TaskScript()
      script.script.taskTemplate(3, .task, stack: 7)
      script.create(1, at: 0)
      script.begin(1, at: 1)
      for task in [2, 3] as [UInt64] {
        let time = 2 + Double(task - 2) * apart
        if task == 3, cancels { script.cancel(2, at: time) }
        script.create(task, by: 1, template: 3, at: time)
        for round in 0..<3 {
          let time = time + 1 + Double(round)
          script.begin(task, at: time, ring: UInt32(task))
          script.end(task, .continuation, at: time, stack: 8)
          script.schedule(task, at: time + 0.5, ring: 4)
          guard waitsTwice else { continue }
          script.begin(task, at: time + 0.6, ring: UInt32(task))
          script.end(task, .continuation, at: time + 0.7, stack: 10)
          script.schedule(task, at: time + 0.8, ring: 4)
        }
      }
      return try suspicions(script).filter { $0.kind == .restarted && $0.weight == 34 }
    }
    #expect(try found(apart: 50).map(\.place) == [.stack(7)])
    #expect(try found(apart: 50, waitsTwice: true).map(\.place) == [.stack(7)])
    #expect(try found(apart: 5).isEmpty)
    #expect(try found(apart: 50, cancels: true).isEmpty)
  }

  /// Tasks are made by one piece of code, and each is awaited by the one that made it; one after the other, or
  /// side by side.
  private func serial(makers: ClosedRange<UInt64>) throws -> [Finding] {
    var script = TaskScript()
    script.script.taskTemplate(3, .task, stack: 7)
    for maker in makers { script.create(maker, at: 0, ring: UInt32(maker)) }
    for round in 0..<5 as Range<UInt64> {
      let maker = makers.lowerBound + round % UInt64(makers.count)
      let time = makers.count == 1 ? 1 + 60 * Double(round) : 1 + Double(round) * 0.1
      let ring = UInt32(maker)
      if round > 0, makers.count == 1 { script.schedule(maker, at: time, ring: ring) }
      script.begin(maker, at: time, ring: ring)
      script.create(100 + round, by: maker, template: 3, at: time, ring: ring)
      script.begin(100 + round, at: time, ring: 20 + ring)
      script.end(maker, .task, number: 100 + round, at: time)
      if makers.count == 1 { script.end(100 + round, .nothing, at: time + 59, stack: 0) }
    }
    for maker in makers {
      let (last, ring) = (makers.count == 1 ? 104 : 99 + maker, UInt32(maker))
      if makers.count > 1 { script.end(last, .nothing, at: 80, stack: 0) }
      script.schedule(maker, at: 320, ring: ring)
      script.begin(maker, at: 320, ring: ring)
      script.end(maker, .nothing, at: 321, stack: 0)
    }
    return try script.with { TaskSuspicions($0, Symbolizer($0.definitions, looksUp: false)).slow() }
      .filter { $0.kind == .backlog && $0.weight == 40 }
  }

  @Test(
    "G1: tasks of one making that are awaited one by one are told of the task that made them all")
  func serialTasks() throws {
    let found = try serial(makers: 1...1)
    #expect(found.map(\.place) == [.stack(8)] && found.first?.count == 5)
    #expect(try serial(makers: 1...5).isEmpty)
  }

  /// A task that sleeps, or waits otherwise, over and over.
  private func sleeper(
    every milliseconds: Double, in function: String = "static Task.sleep(nanoseconds:)",
    tasks: UInt64 = 1
  ) throws -> [Finding] {
    var script = TaskScript()
    script.script.module(1, "/usr/lib/libswift_Concurrency.so", 0x5000..<0x6000)
    script.script.code(0x5100, function, line: 0)
    script.script.stack(9, [0x5100, 0x2000])
    for round in 0..<60 {
      let task = UInt64(round) % tasks + 1
      let time = Double(round) * milliseconds
      if round < tasks {
        script.create(task, by: 9, at: time)
      } else {
        script.schedule(task, at: time)
      }
      script.begin(task, at: time)
      script.end(task, .continuation, at: time, stack: 9)
    }
    return try suspicions(script).filter { $0.kind == .storm }
  }

  @Test("G1: a task that sleeps over and over, and shortly, may ask again and again for something")
  func polls() throws {
    let found = try sleeper(every: 2)
    #expect(found.map(\.place) == [.stack(9)])
    #expect(found.first?.sentence?.parts.contains(.count(60, one: "time", many: "times")) == true)
    #expect(try sleeper(every: 200).isEmpty)
    #expect(try sleeper(every: 2, in: "withCheckedContinuation(isolation:function:_:)").isEmpty)
    #expect(try sleeper(every: 2, tasks: 20).isEmpty)
  }

  /// A task makes a download and its time limit, and, when the download has ended, others of both. The first
  /// time limit then cancels the second download, or its own.
  private func limited(endsFirst: Bool = true, cancelled: UInt64 = 4) throws -> [Finding] {
    var script = TaskScript()
    for (template, stack) in [(3, 20), (4, 21)] as [(UInt32, UInt32)] {
      script.script.taskTemplate(template, .task, stack: stack)
    }
    script.create(1, at: 0)
    script.begin(1, at: 1)
    script.create(2, by: 1, template: 3, at: 2)
    script.create(3, by: 1, template: 4, at: 3)
    script.begin(2, at: 4, ring: 2)
    script.end(2, endsFirst ? .nothing : .continuation, at: 5, stack: 0)
    script.create(4, by: 1, template: 3, at: 6)
    script.create(5, by: 1, template: 4, at: 7)
    script.begin(3, at: 8, ring: 3)
    script.cancel(cancelled, at: 9, ring: 3, stack: 22)
    script.end(3, .nothing, at: 10, stack: 0)
    return try suspicions(script).filter { $0.kind == .partial && $0.place == .stack(22) }
  }

  @Test("G1: a task that cancels what was made after it, in place of what it was made for, is told")
  func lateCancellation() throws {
    #expect(try limited().count == 1)
    #expect(try limited(cancelled: 2).isEmpty)
    #expect(try limited(endsFirst: false).isEmpty)
  }
}
