import Foundation
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

extension TaskScript {
  /// A script whose stacks 20 and up are lines of a file, line 1 being that of stack 20.
  init(_ code: [String], in folder: TemporaryFolder) throws {
    let path = folder.file("Code.swift")
    try code.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    self.init()
    script.module(1, "/src/app", 0x8000..<0x9000)
    for line in 1...code.count {
      let address = UInt64(0x8000 + line * 16)
      script.code(address, "run()", line: UInt32(line), of: path)
      script.stack(UInt32(19 + line), [address])
    }
  }

  /// Adds a stack of lines of that file, the innermost first.
  mutating func stack(_ id: UInt32, lines: [UInt64]) {
    script.stack(id, lines.map { 0x8000 + $0 * 16 })
  }

  /// The lines that guesses of a kind are about.
  func linesMarked(_ kind: Finding.Kind, byErrors: Bool = false) throws -> [UInt32] {
    try with { reader in
      let symbols = Symbolizer(reader.definitions, looksUp: false)
      let thrown = byErrors ? ThrownErrors(reader, EventLookup(reader)) : nil
      let caught = thrown.map { CaughtErrors($0, reader.definitions, symbols) }
      return TaskSuspicions(reader, symbols, caught: caught).wrong()
        .filter { $0.kind == kind }
        .compactMap { if case .line(let place) = $0.place { place.line } else { nil } }
    }
  }

  /// Suspends a task at a stack, and resumes it, some times; it waits there at last.
  mutating func wait(_ task: UInt64, _ rounds: Int, at stack: UInt32, from time: Double) {
    for round in 0..<rounds {
      let start = time + Double(round)
      if round > 0 {
        schedule(task, at: start)
        begin(task, at: start + 0.1)
      }
      end(task, .continuation, at: start + 0.2, stack: stack)
    }
  }
}
