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
}
