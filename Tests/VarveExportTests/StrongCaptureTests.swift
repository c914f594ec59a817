import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveExport

/// The closure of a chain of operators that holds what the observation was to let go of.
@Suite("Strong captures")
struct StrongCaptureTests {
  private let folder = TemporaryFolder()

  /// Returns the line that is told of a chain whose lines these are, the observation last.
  private func holder(_ lines: [String]) throws -> UInt32? {
    let path = folder.file("Puzzle.swift")
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let places = lines.indices.reversed().map { Place(file: path, line: UInt32($0 + 1)) }
    var captures = StrongCaptures()
    return captures.holder(among: places)?.line
  }

  private let weak = ".startWithValues { [weak self] in self?.isSolved = $0 }"

  @Test("G4: the only closure that uses self strongly is told")
  func told() throws {
    #expect(try holder(["letters.producer", ".map { self.solution == $0 }", weak]) == 2)
  }

  @Test("G4: a closure of several lines is read to its end, and comments are not")
  func several() throws {
    let lines = [
      "letters.producer", ".filter { !$0.isEmpty }  // what self holds", ".map { letters in",
      "  print(\"{\")", "  return self.solution == letters }", ".skipRepeats()", weak,
    ]
    let path = folder.file("Puzzle.swift")
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    var captures = StrongCaptures()
    let places = [7, 6, 3, 2, 1].map { Place(file: path, line: $0) }
    #expect(captures.holder(among: places)?.line == 3)
  }

  @Test(
    "G4: nothing is told where the observation itself, nobody or several hold self, or without source",
    arguments: [
      [".map { self.solution == $0 }", ".startWithValues { self.isSolved = $0 }"],
      [".map { [unowned self] in self.solution == $0 }", ".startWithValues { print($0) }"],
      [".filter { self.accepts($0) }", ".map { self.solution == $0 }", ".start()"],
      [".map { $0.itself + myself }", ".start()"],
    ])
  func silent(_ lines: [String]) throws { #expect(try holder(lines) == nil) }

  @Test("G4: without the source nothing is told")
  func missing() {
    var captures = StrongCaptures()
    let places = [3, 2].map { Place(file: "/nowhere/Puzzle.swift", line: $0) }
    #expect(captures.holder(among: places) == nil)
  }
}
