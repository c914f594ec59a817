import CVarveSystem
import Dispatch
import Foundation
import Testing
import VarveReactive
import VarveTestRig

/// How code came to run.
@Suite("Asynchronous backtraces", .serialized)
struct AsyncBacktraceTests {
  @inline(never)
  private func scheduleFirst(on queues: [QueueScheduler], _ finding: Finding) {
    queues[0].schedule { scheduleSecond(on: queues, finding) }
  }

  @inline(never)
  private func scheduleSecond(on queues: [QueueScheduler], _ finding: Finding) {
    queues[1].schedule { arrive(finding) }
  }

  @inline(never)
  private func arrive(_ finding: Finding) { finding.note() }

  @Test("B1: after two hops, the stacks of both who scheduled are there, newest first")
  func segments() async throws {
    let finding = Finding()
    let queues = [QueueScheduler(name: "one"), QueueScheduler(name: "two")]
    let backtrace = await capturing {
      scheduleFirst(on: queues, finding)
      return finding.backtrace
    }
    #expect(backtrace.path("arrive", "scheduleSecond", "scheduleFirst") == [0, 1, 2])
    #expect(
      backtrace.segments.map(\.scheduler) == [
        nil, "QueueScheduler(two)", "QueueScheduler(one)",
      ])
    #expect(!backtrace.isCut)
  }

  @Test("B1: a backtrace shows 32 hops, each with its stack")
  func manyHops() async {
    @Sendable func hop(_ left: Int, _ queues: [QueueScheduler], _ finding: Finding) {
      // Two places in turn, so that no two hops in a row look alike.
      if left == 0 { return finding.note() }
      if left % 2 == 0 {
        queues[0].schedule { hop(left - 1, queues, finding) }
      } else {
        queues[1].schedule { hop(left - 1, queues, finding) }
      }
    }
    let queues = [QueueScheduler(name: "a"), QueueScheduler(name: "b")]
    for (hops, isCut) in [(31, false), (33, true), (500, true)] {
      let finding = Finding()
      let backtrace = await capturing {
        hop(hops, queues, finding)
        return finding.backtrace
      }
      #expect(backtrace.segments.count == min(hops, 32) + 1)
      #expect(backtrace.segments.allSatisfy { $0.mentions("hop") })
      #expect(backtrace.isCut == isCut)
    }
  }

  @Test("B1: nothing is kept while nobody asks for it, and work of then has no way back")
  func off() async {
    let finding = Finding()
    let queue = QueueScheduler(name: "off")
    let nodes = await GateTurn.take {
      let before = vv_hop_nodes()
      for _ in 0..<1_000 { queue.schedule {} }
      queue.queue.sync {}
      let made = vv_hop_nodes() - before
      // Scheduled before the switch, run after it.
      let gate = Flag()
      queue.schedule { gate.wait() }
      queue.schedule { finding.note() }
      AsyncBacktrace.isCapturing = true
      gate.raise()
      _ = finding.backtrace
      AsyncBacktrace.isCapturing = false
      return made
    }
    #expect(nodes == 0)
    #expect(finding.backtrace.segments.count == 1)
  }

  @Test("B2: functions, files and lines are shown, of the stack and of the hops")
  func text() async throws {
    let finding = Finding()
    let queues = [QueueScheduler(name: "one"), QueueScheduler(name: "two")]
    let backtrace = await capturing {
      scheduleFirst(on: queues, finding)
      return finding.backtrace
    }
    let text = backtrace.description
    func isCall(_ line: String, _ function: String) -> Bool {
      line.hasPrefix("  ") && line.contains(function) && !line.contains("closure")
    }
    let lines = text.split(separator: "\n").map(String.init)
    let first = try #require(lines.firstIndex { $0.contains("arrive(_:)") })
    let second = try #require(lines.firstIndex { $0 == "scheduled on QueueScheduler(two) by" })
    let third = try #require(lines.firstIndex { isCall($0, "scheduleSecond(on:_:)") })
    let fourth = try #require(lines.firstIndex { $0 == "scheduled on QueueScheduler(one) by" })
    let fifth = try #require(lines.firstIndex { isCall($0, "scheduleFirst(on:_:)") })
    #expect(
      [first, second, third, fourth, fifth].sorted() == [first, second, third, fourth, fifth])
    for line in [first, third, fifth] {
      #expect(lines[line].contains("AsyncBacktraceTests.swift:"), "\(lines[line])")
    }
    // The library's own frames are folded.
    #expect(!text.contains("ScheduledWork"))
    #expect(text.contains("of the machinery"))
  }

  @Test("B2: the names of all streams that are delivering are there, outermost first")
  func streams() {
    let (outer, input) = Signal<Int, Never>.pipe(named: "outer")
    let (inner, innerInput) = Signal<Int, Never>.pipe(named: "inner")
    let names = Box<[String]>([])
    outer.map { $0 + 1 }.observeValues { innerInput.send(value: $0) }
    inner.named("renamed").observeValues { _ in names.set(AsyncBacktrace.current.streams) }
    input.send(value: 1)
    #expect(names.value == ["outer", "outer.map(_:)", "inner", "renamed"])
    #expect(AsyncBacktrace.current.streams == [])
    #expect(AsyncBacktrace.current.segments.count == 1)
  }

  @Test("B2: work handed to somebody else can be carried there")
  func carrying() async {
    @inline(never) @Sendable func handOver(_ finding: Finding) {
      let action = AsyncBacktrace.carrying({ finding.note() }, to: "the loop")
      inBackground { action() }
    }
    let finding = Finding()
    let backtrace = await capturing {
      handOver(finding)
      return finding.backtrace
    }
    #expect(backtrace.segments.count == 2)
    #expect(backtrace.segments[1].scheduler == "the loop")
    #expect(backtrace.segments[1].mentions("handOver"))
  }

  /// Each thread keeps some nodes for itself, and Dispatch makes threads by the hundred.
  private static let mostNodes = 80_000

  @Test("B5: work that schedules itself a million times is one segment with a count")
  func loop() async {
    let queue = QueueScheduler(name: "loop")
    let turns = 1_000_000
    let finding = Finding()
    @Sendable func turn(_ left: Int) {
      if left == 0 { return finding.note() }
      queue.schedule { turn(left - 1) }
    }
    let (backtrace, nodes) = await capturing {
      let before = vv_hop_nodes()
      turn(turns)
      return (finding.backtrace, vv_hop_nodes() - before)
    }
    #expect(nodes < Self.mostNodes)
    let segments = backtrace.segments
    #expect(segments.count == 3)
    #expect(segments.dropFirst().map(\.repeats).reduce(0, +) >= turns - 10)
    #expect(backtrace.description.contains(" times before) by"))
  }

  @Test("B5: an endless chain of different hops keeps a fixed number of segments, and says so")
  func cut() async {
    let queue = QueueScheduler(name: "ping-pong")
    let finding = Finding()
    // Two places in turn, so that no two hops in a row look alike.
    @Sendable func bounce(_ left: Int) {
      if left == 0 { return finding.note() }
      if left % 2 == 0 {
        queue.schedule { bounce(left - 1) }
      } else {
        queue.schedule { bounce(left - 1) }
      }
    }
    let (backtrace, nodes, stacks) = await capturing {
      let (nodes, stacks) = (vv_hop_nodes(), vv_stack_kept())
      bounce(2_000_000)
      return (finding.backtrace, vv_hop_nodes() - nodes, vv_stack_kept() - stacks)
    }
    #expect(nodes < Self.mostNodes)
    #expect(stacks < 1_000)
    #expect(backtrace.segments.count == 33)
    #expect(backtrace.isCut)
    #expect(backtrace.description.contains("older hops were cut"))
  }

  @Test("B5: what a long chain schedules shares it")
  func sharing() async {
    let queue = QueueScheduler(name: "fan")
    let other = QueueScheduler(name: "fan, too")
    let done = Flag()
    @Sendable func bounce(_ left: Int) {
      guard left == 0 else {
        (left % 2 == 0 ? queue : other).schedule { bounce(left - 1) }
        return
      }
      for _ in 0..<10_000 { other.schedule {} }
      other.schedule { done.raise() }
    }
    let nodes = await capturing {
      let before = vv_hop_nodes()
      bounce(62)
      done.wait()
      return vv_hop_nodes() - before
    }
    #expect(nodes < 15_000)
  }
}
