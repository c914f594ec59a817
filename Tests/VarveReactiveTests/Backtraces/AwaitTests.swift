import CVarveSystem
import Testing
import VarveReactive
import VarveTestRig

/// Functions that wait for each other by `await`.
@Suite("Asynchronous backtraces of tasks", .serialized)
struct AwaitTests {
  @inline(never)
  private func outermost(_ finding: Finding, _ pause: @Sendable () async -> Void) async -> Int {
    await middle(finding, pause) + 1
  }

  @inline(never)
  private func middle(_ finding: Finding, _ pause: @Sendable () async -> Void) async -> Int {
    await innermost(finding, pause) + 1
  }

  @inline(never)
  private func innermost(_ finding: Finding, _ pause: @Sendable () async -> Void) async -> Int {
    await pause()
    finding.note()
    return 1
  }

  /// Ways to be suspended, or not to be.
  struct Pause: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let take: @Sendable () async -> Void
  }

  private actor Other {
    func visit() async { await Task.yield() }
  }

  static let pauses = [
    Pause(testDescription: "none") {},
    Pause(testDescription: "yield") { await Task.yield() },
    Pause(testDescription: "sleep") { try? await Task.sleep(nanoseconds: 2_000_000) },
    Pause(testDescription: "continuation") {
      await withCheckedContinuation { continuation in
        inBackground { continuation.resume() }
      }
    },
    Pause(testDescription: "actor") { await Other().visit() },
    Pause(testDescription: "values") {
      let (signal, input) = Signal<Int, Never>.pipe()
      let values = signal.values(buffering: .unbounded)
      inBackground {
        input.send(value: 1)
        input.sendCompleted()
      }
      for await _ in values {}
    },
    Pause(testDescription: "first") {
      let (signal, input) = Signal<Int, Never>.pipe()
      let values = signal.values(buffering: .unbounded).makeAsyncIterator()
      inBackground { input.send(value: 1) }
      var iterator = values
      _ = await iterator.next()
    },
  ]

  private static func order(_ backtrace: AsyncBacktrace) -> [String] {
    let own = backtrace.segments[0].frames
    return ["innermost", "middle", "outermost"].filter { name in
      own.contains { $0.function?.contains(name) == true }
    }
  }

  #if os(Linux) && arch(x86_64)
    @Test("B2: functions that await each other follow one another", arguments: pauses)
    func awaiting(_ pause: Pause) async throws {
      let finding = Finding()
      let result = await Task.detached { await outermost(finding, pause.take) }.value
      #expect(result == 3)
      let frames = finding.backtrace.segments[0].frames
      let places = ["innermost", "middle", "outermost"].map { name in
        frames.firstIndex { $0.function?.contains(name) == true }
      }
      let found = places.compactMap { $0 }
      #expect(found.count == 3, "\(finding.backtrace)")
      #expect(found == found.sorted())
      #expect(frames[try #require(found.last)].isAwaiting)
      #expect(frames[try #require(found.last)].line > 0)
      #expect(finding.backtrace.description.contains("AwaitTests.swift:"))
    }

    @Test("B2: a child of a group and an `async let` lead to where they begin")
    func children() async {
      let findings = [Finding(), Finding()]
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = await outermost(findings[0]) { await Task.yield() } }
      }
      async let child = outermost(findings[1]) { await Task.yield() }
      _ = await child
      for finding in findings {
        #expect(Self.order(finding.backtrace) == ["innermost", "middle", "outermost"])
      }
    }

    @Test("B1: work that a task schedules shows who awaited the function that did")
    func scheduled() async {
      let queue = QueueScheduler(name: "from a task")
      let finding = Finding()
      @Sendable @inline(never) func ask() async -> Int {
        await Task.yield()
        return put()
      }
      @Sendable @inline(never) func put() -> Int {
        queue.schedule { finding.note() }
        return 1
      }
      @Sendable @inline(never) func conversation() async -> Int { await ask() + 1 }
      let backtrace = await capturing {
        let task = Task.detached { await conversation() }
        _ = await task.value
        return finding.backtrace
      }
      #expect(backtrace.segments.count == 2)
      for function in ["put", "ask", "conversation"] {
        #expect(backtrace.segments[1].mentions(function), "\(backtrace)")
      }
    }

    @Test("B2: what the runtime calls that is no task's function is walked as it is")
    func synchronous() async {
      // Jobs of an executor of one's own run below a frame of the runtime, too.
      let finding = Finding()
      let executor = OneByOne()
      await Task(executorPreference: executor) {
        await Task.yield()
        finding.note()
      }.value
      #expect(finding.backtrace.segments[0].frames.count < 64)
      #expect(finding.backtrace.segments[0].mentions("synchronous"))
    }
  #endif

  private final class OneByOne: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      inBackground { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @inline(never) @Sendable
  private static func begin<Value: Sendable>(_ producer: SignalProducer<Value, Never>) {
    producer.start()
  }

  /// A bridge of the library that makes a task, with what the task does.
  struct Bridge: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let producer: @Sendable (@escaping @Sendable () async -> Void) -> SignalProducer<Int, Never>
  }

  static let bridges = [
    Bridge(testDescription: "function") { work in
      SignalProducer {
        await work()
        return 1
      }
    },
    Bridge(testDescription: "throwing function") { work in
      SignalProducer<Int, TestFailure> { () async throws(TestFailure) -> Int in
        await work()
        return 1
      }.flatMapError { _ in .empty }
    },
    Bridge(testDescription: "sequence") { work in
      SignalProducer(
        AsyncStream<Int>(unfolding: {
          await work()
          return nil
        }))
    },
  ]

  @Test(
    "B3: a task of the library leads to who started it, also when it was resumed elsewhere",
    arguments: bridges, pauses)
  func tasksOfBridges(_ bridge: Bridge, _ pause: Pause) async {
    let finding = Finding()
    let producer = bridge.producer {
      await pause.take()
      finding.note()
    }
    let backtrace = await capturing {
      Self.begin(producer)
      return finding.backtrace
    }
    let hops = backtrace.segments.dropFirst()
    #expect(hops.map(\.scheduler) == ["Task"], "\(backtrace)")
    #expect(hops.contains { $0.mentions("begin") }, "\(backtrace)")
  }

  @Test("B3: the chain goes on from a task through what it starts and awaits")
  func nested() async {
    let finding = Finding()
    let queue = QueueScheduler(name: "inner")
    let inner = SignalProducer<Int, Never> { observer, _ in
      finding.note()
      observer.send(value: 1)
      observer.sendCompleted()
    }.start(on: queue)
    let outer = SignalProducer<Int, Never> {
      await Task.yield()
      return await inner.first() ?? 0
    }
    let backtrace = await capturing {
      Self.begin(outer)
      return finding.backtrace
    }
    #expect(backtrace.segments.dropFirst().map(\.scheduler) == ["QueueScheduler(inner)", "Task"])
    #expect(backtrace.segments.last?.mentions("begin") == true)
  }
}
