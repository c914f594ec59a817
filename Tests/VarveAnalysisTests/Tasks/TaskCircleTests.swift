import Testing
import VarveProbe

@testable import VarveAnalysis

/// The line to look at of tasks that wait for each other.
@Suite("Circles of tasks")
struct TaskCircleTests {
  private func frames(_ functions: [String]) -> [NamedFrame] {
    functions.enumerated().map { index, function in
      NamedFrame(
        frame: StackFrame(address: UInt64(index + 1)), function: function, file: "/src/A.swift",
        line: UInt32(index + 1), module: nil, isInlined: false, isMachinery: function.isEmpty)
    }
  }

  private func telling(_ closing: [String], _ others: [[String]]) -> String? {
    TaskWaits.tellingFrame(frames(closing), among: others.map(frames))?.function
  }

  @Test("G1: of a circle, the caller of a function that serves everybody is told")
  func caller() {
    let other = ["terrain()", "loadWater()", "closure"]
    #expect(telling(["water()", "loadTerrain()", "closure"], [other]) == "loadTerrain()")
    // Both wait in the same function.
    #expect(
      telling(["image()", "render()", "closure"], [["image()", "render()", "closure"]]) == "image()"
    )
    // What a task begins with calls its own function.
    #expect(telling(["pull()", "closure"], [["push()", "closure"]]) == "pull()")
    #expect(telling(["closure"], [["closure 2"]]) == "closure")
    #expect(telling(["", "water()", "loadTerrain()", "closure"], [other]) == "loadTerrain()")
    #expect(telling(["water()", "loadTerrain()", "closure"], []) == "water()")
  }

  @Test("G1: of a task that waits for itself, the call which led back is told, and not one of all")
  func itself() {
    func telling(_ closing: [String], outside: [[String]]) -> String? {
      TaskWaits.tellingFrame(frames(closing), among: [], outside: outside.map(frames))?.function
    }
    let (token, send, made) = ("token()", "send()", "closure #1 in token()")
    let asking = [[token, send, "closure #1 in appear()"]]
    #expect(telling([token, send, "refresh()", made], outside: asking) == "refresh()")
    #expect(telling([token, send, made], outside: asking) == made)
    // The task was made elsewhere.
    #expect(telling([token, send, "closure #1 in main()"], outside: asking) == token)
    #expect(telling([made], outside: asking) == made)
  }

  @Test("G1: those wait from outside who wait for a task of the circle, and are not of it")
  func outside() {
    func task(_ id: UInt64, waitsFor other: UInt64?) -> TaskState {
      TaskState(
        id: id, phase: .suspended, awaiting: other == nil ? .continuation : .task,
        awaitedTask: other)
    }
    let tasks = [
      task(1, waitsFor: 2), task(2, waitsFor: 1), task(3, waitsFor: 1), task(4, waitsFor: 3),
      task(5, waitsFor: nil),
    ]
    #expect(TaskWaits.outside([1, 2], among: tasks) == [3])
  }
}
