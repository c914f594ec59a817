import Testing
import VarveProbe

@testable import VarveAnalysis

/// Tasks in memory that may contain anything.
@Suite struct TaskReaderTests {
  private static let code: UInt64 = 0x1000

  /// Memory that is made by hand.
  private final class Memory: TaskMemory {
    private var bytes: [UInt64: UInt8] = [:]
    let modules = [
      ModuleDefinition(id: 1, path: "app", buildID: [], bias: 0, addresses: 0x1000..<0x2000)
    ]
    var writable: [Range<UInt64>] = [0x10000..<0x20000]
    let threads: [ThreadRegisters] = []

    func put<Number: FixedWidthInteger>(_ number: Number, at address: UInt64) {
      withUnsafeBytes(of: number.littleEndian) { raw in
        for (index, byte) in raw.enumerated() { bytes[address + UInt64(index)] = byte }
      }
    }

    func put(_ text: String, at address: UInt64) {
      for (index, byte) in (Array(text.utf8) + [0]).enumerated() {
        bytes[address + UInt64(index)] = byte
      }
    }

    func remove(at address: UInt64) { bytes[address] = nil }

    func read(_ address: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Bool {
      // A search reads whole ranges; there, what is missing is zero.
      for index in buffer.indices {
        let (place, overflow) = address.addingReportingOverflow(UInt64(index))
        guard !overflow, let byte = bytes[place] ?? (buffer.count > 8 ? 0 : nil) else {
          return false
        }
        buffer[index] = byte
      }
      return true
    }

    /// Makes a suspended task with one function.
    func task(_ id: UInt64, at address: UInt64, flags: UInt32 = 21 << 8, status: UInt32 = 0x4000) {
      put(UInt64(0x7777), at: address)
      put(flags, at: address + TaskLayout.flags)
      put(UInt32(truncatingIfNeeded: id), at: address + TaskLayout.idLow)
      put(UInt32(id >> 32), at: address + TaskLayout.idHigh)
      put(status, at: address + TaskLayout.status)
      put(TaskReaderTests.code, at: address + TaskLayout.resume)
      put(UInt64(0), at: address + TaskLayout.context)
      put(UInt64(0), at: address + TaskLayout.records)
    }

    /// Makes a record of a task's status.
    func record(
      _ kind: UInt64, at address: UInt64, next: UInt64, value: UInt64, kindOfWait: UInt32 = 0
    ) {
      put(kind, at: address)
      put(next, at: address + TaskLayout.recordNext)
      put(value, at: address + TaskLayout.recordValue)
      put(kindOfWait, at: address + TaskLayout.dependencyKind)
    }
  }

  private let memory = Memory()

  private func tasks() -> [TaskReader.Found] {
    TaskSearch(memory, metadata: 0x7777).tasks().tasks
  }

  @Test("K4: a task has its number, name, priority, kind, state and functions")
  func whole() throws {
    memory.task(5 << 32 | 9, at: 0x10040, flags: 25 << 8 | 1 << 24 | 1 << 28, status: 0x4100)
    memory.put(UInt64(0x10a00), at: 0x10040 + TaskLayout.parent)
    memory.put(UInt64(0x10800), at: 0x10040 + TaskLayout.records)
    memory.record(6, at: 0x10800, next: 0x10900, value: 0x10980)
    memory.put("loader", at: 0x10980)
    memory.record(0, at: 0x10900, next: 0, value: 0x10a00, kindOfWait: 2)
    memory.put(UInt64(0x10b00), at: 0x10040 + TaskLayout.context)
    memory.put(UInt64(0), at: 0x10b00)
    memory.put(UInt64(0x1234), at: 0x10b00 + TaskLayout.contextResume)
    let found = try #require(tasks().first)
    #expect(found.parent == 0x10a00)
    #expect(
      found.state
        == TaskState(
          id: 5 << 32 | 9, name: "loader", priority: 25, kind: .asyncLet, phase: .suspended,
          isCancelled: true, awaiting: .continuation,
          frames: [
            StackFrame(address: Self.code, isResumption: true),
            StackFrame(address: 0x1234, isResumption: true),
          ]))
  }

  @Test(
    "K4: what a task does is read from its status",
    arguments: [
      (UInt32(0x0800), TaskState.Phase.running), (0x1000, .enqueued), (0x4000, .suspended),
      (0, .suspended),
    ])
  func phases(status: UInt32, phase: TaskState.Phase) {
    memory.task(1, at: 0x10000, status: status)
    #expect(tasks().map(\.state.phase) == [phase])
  }

  @Test("K4: ended tasks, other objects and pointers that lead nowhere are no tasks")
  func noTasks() {
    memory.task(1, at: 0x10000, status: 0x2000)
    memory.task(2, at: 0x10200, flags: 1)
    memory.task(0, at: 0x10400)
    memory.task(4, at: 0x10600)
    memory.put(UInt64(0x5000), at: 0x10600 + TaskLayout.resume)
    memory.put(UInt64(0x7777), at: 0x1fff0)
    #expect(tasks().isEmpty)
  }

  @Test("F2: circles of contexts and of records end")
  func circles() throws {
    memory.task(1, at: 0x10000)
    memory.put(UInt64(0x10200), at: 0x10000 + TaskLayout.context)
    memory.put(UInt64(0x10200), at: 0x10200)
    memory.put(UInt64(0x1500), at: 0x10200 + TaskLayout.contextResume)
    memory.put(UInt64(0x10300), at: 0x10000 + TaskLayout.records)
    memory.record(9, at: 0x10300, next: 0x10300, value: 0)
    let task = try #require(tasks().first)
    #expect(task.state.frames.count == 128)
  }

  @Test(
    "F2: memory that is gone is left out, and pointers at the end of the address space end nothing")
  func gone() throws {
    memory.task(1, at: 0x10000)
    memory.put(UInt64.max - 3, at: 0x10000 + TaskLayout.context)
    memory.put(UInt64.max - 3, at: 0x10000 + TaskLayout.records)
    #expect(tasks().map(\.state.frames.count) == [1])
    memory.remove(at: 0x10000 + TaskLayout.status)
    #expect(tasks().isEmpty)
  }

  @Test("K4: tasks that wait for each other are a circle; others wait for the end of their way")
  func waits() {
    func task(_ id: UInt64, awaits other: UInt64?) -> TaskState {
      TaskState(
        id: id, phase: .suspended, awaiting: other == nil ? .continuation : .task,
        awaitedTask: other)
    }
    let chain = TaskWaits([
      task(1, awaits: 2), task(2, awaits: 3), task(3, awaits: nil), task(4, awaits: 3),
      task(5, awaits: nil), task(6, awaits: 99),
    ])
    #expect(chain.knots == [.end(of: 3, waiting: [1, 2, 4])])
    let circle = TaskWaits([
      task(1, awaits: 2), task(2, awaits: 3), task(3, awaits: 4), task(4, awaits: 2),
      task(7, awaits: 7),
    ])
    #expect(circle.knots == [.circle([4, 2, 3]), .circle([7])])
    var blocked = (1...3 as ClosedRange<UInt64>).map { TaskState(id: $0, phase: .running) }
    blocked[0].isBlocked = true
    blocked[2].isBlocked = true
    #expect(TaskWaits(blocked).knots == [.blocked([1, 3])])
    var group = task(1, awaits: nil)
    group.awaiting = .group
    let children = (2...4 as ClosedRange<UInt64>).map { id in
      TaskState(id: id, kind: .groupChild, parent: 1, phase: .suspended, awaiting: .continuation)
    }
    #expect(TaskWaits([group] + children).knots == [.end(of: 2, waiting: [1])])
  }

  @Test("K4: tasks that were made in one line are alike, whatever the instructions")
  func oneLine() throws {
    var script = TaskScript()
    script.script.module(1, "/usr/bin/shop", 0x1000..<0x2000)
    for (address, line) in [(0x1000, 21), (0x1100, 21), (0x1200, 22)] as [(UInt64, UInt32)] {
      script.script.code(address, "draw()", line: line)
    }
    let addresses: [UInt64] = [0x1000, 0x1100, 0x1200, 0x1300]
    let tasks = addresses.enumerated().map { index, address in
      var task = TaskState(id: UInt64(index) + 1, phase: .suspended)
      task.made = [StackFrame(address: address)]
      return task
    }
    try script.with { reader in
      let symbols = Symbolizer(reader.definitions, looksUp: false)
      #expect(TaskTree(tasks, symbols: symbols).nodes.map(\.alike) == [[2], [], []])
      #expect(TaskTree(tasks).nodes.count == 4)
    }
  }

  @Test("K4: tasks stand below those that they belong to, and alike ones together")
  func tree() {
    func task(_ id: UInt64, parent: UInt64? = nil, maker: UInt64? = nil, name: String? = nil)
      -> TaskState
    {
      var task = TaskState(id: id, name: name, parent: parent, phase: .suspended)
      task.maker = maker
      return task
    }
    let tree = TaskTree([
      task(9, parent: 4), task(1), task(4, maker: 1), task(5, parent: 1), task(6, parent: 1),
      task(7, parent: 1, name: "odd"), task(8, parent: 8),
    ])
    #expect(tree.nodes.map(\.task.id) == [1, 4, 9, 5, 7, 8])
    #expect(tree.nodes.map(\.depth) == [0, 1, 2, 1, 1, 0])
    #expect(tree.nodes.map(\.alike) == [[], [], [], [6], [], []])
    #expect(tree.nodes.map(\.isLast) == [false, false, true, false, true, true])
  }
}
