import Testing
import VarveAnalysis
import VarveProbe
import VarveTraceScript

@Suite("Findings about tasks that accumulate")
struct GrowingTaskTests {
  /// A task makes `count` others, one every `pause` milliseconds, of which one in `ending` ends
  /// after so many more were made.
  private func script(
    _ count: UInt64, every pause: Double, ending: UInt64 = .max, after more: UInt64 = 1,
    awaits: Bool = false, firstLine: UInt32? = nil
  ) -> TaskScript {
    var script = TaskScript()
    script.script.taskTemplate(3, name: "tile", stack: 7)
    // The first one is made by other instructions than the others, perhaps of the same line.
    script.script.stack(9, [0x1100])
    script.script.taskTemplate(4, name: "tile", stack: firstLine == nil ? 7 : 9)
    if let firstLine {
      script.script.module(1, "/usr/bin/shop", 0x1000..<0x2000)
      script.script.code(0x1000, "draw()", line: 21)
      script.script.code(0x1100, "draw()", line: firstLine)
    }
    script.create(1, at: 0)
    script.begin(1, at: 0)
    for number in 1...count {
      let time = Double(number) * pause
      script.create(1 + number, by: 1, template: number == 1 ? 4 : 3, at: time)
      script.begin(1 + number, at: time)
      script.end(1 + number, .continuation, at: time)
      guard number > more, (number - more) % ending == 0 || ending == 1 else { continue }
      let old = 1 + number - more
      script.schedule(old, at: time)
      script.begin(old, at: time)
      script.end(old, .nothing, at: time)
    }
    if awaits { script.end(1, .task, number: 1 + count, at: Double(count + 1) * pause) }
    return script
  }

  @Test("G1: tasks of one place that do not end and are not awaited are found where they are made")
  func growing() throws {
    for ending in [UInt64.max, 2] {
      let found = try script(60, every: 10, ending: ending).findings()
      #expect(found.map(\.kind) == [.leak])
      #expect(found.first?.place == .stack(7) && found.first?.question == .tasks)
      #expect(found.first?.evidence.count == 3)
    }
  }

  @Test("G1: tasks that are made in one line are counted together, whatever the instructions")
  func unrolled() throws {
    #expect(try script(60, every: 10, firstLine: 21).findings().map(\.count) == [60])
    #expect(try script(60, every: 10, firstLine: 20).findings().map(\.count) == [59])
  }

  @Test("G1: fewer tasks are many, if none of them has ended")
  func few() throws {
    #expect(try script(12, every: 25).findings().map(\.kind) == [.leak])
    #expect(try script(14, every: 25, ending: 5).findings().isEmpty)
  }

  @Test("G1: many tasks are no leak if they end in time, are awaited, few, or made in one go")
  func healthy() throws {
    #expect(try script(60, every: 10, ending: 1, after: 20).findings().isEmpty)
    #expect(try script(60, every: 10, awaits: true).findings().isEmpty)
    #expect(try script(8, every: 100).findings().isEmpty)
    #expect(try script(60, every: 0.01).findings().isEmpty)
  }
}
