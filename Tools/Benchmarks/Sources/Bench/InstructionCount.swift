import Foundation
import Measurement
import VarveWorkloads

/// How many instructions an event needs, by valgrind's callgrind: the figure that repeats on a busy
/// machine. A workload is run twice with different numbers of events; the rest is the same.
enum InstructionCount {
  /// What is asked of the process that valgrind runs: `--count a 10000`.
  static let flag = "--count"

  private static let few = 2_000
  private static let many = 12_000

  /// Instructions per delivery of Varve's workloads, by their names.
  static func all(of plans: [WorkloadPlan]) throws -> [String: Double] {
    let program = try strippedCopy()
    defer { try? FileManager.default.removeItem(atPath: program) }
    var counts: [String: Double] = [:]
    for plan in plans {
      let base = try instructions(program, plan, events: few)
      let more = try instructions(program, plan, events: many)
      let deliveries = Double(many - few) * Double(plan.deliveries / plan.events)
      counts[plan.id] = Double(more - base) / deliveries
    }
    return counts
  }

  /// Sends so many events through a workload: what the counted process does.
  static func run(_ id: String, events: Int) -> Bool {
    guard let workload = VarveWorkloads.all.first(where: { $0.plan.id == id }) else { return false }
    let body = workload.prepare()
    return body(events) != Int.min
  }

  /// Valgrind fails on debug information of a newer kind than it knows.
  private static func strippedCopy() throws -> String {
    let copy = Files.temporary("stripped")
    _ = try run("strip", ["-g", "-o", copy, CommandLine.arguments[0]])
    return copy
  }

  private static func instructions(
    _ program: String, _ plan: WorkloadPlan, events: Int
  ) throws -> Int {
    let said = try run(
      "valgrind",
      [
        "--tool=callgrind", "--callgrind-out-file=/dev/null", program, flag, plan.id,
        String(events),
      ])
    guard let line = said.split(separator: "\n").first(where: { $0.contains("Collected :") }),
      let count = line.split(separator: " ").last.flatMap({ Int($0) })
    else { throw Failure(message: "valgrind counted nothing:\n\(said.suffix(500))") }
    return count
  }

  /// Runs a program and returns what it said on standard error.
  private static func run(_ name: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        message: """
          \(name) failed (\(process.terminationStatus)): \(said.suffix(500))
          Counting instructions takes valgrind and binutils: apt-get install valgrind binutils
          """)
    }
    return said
  }

  /// Why nothing could be counted.
  struct Failure: Error, CustomStringConvertible {
    var message: String
    var description: String { message }
  }
}
