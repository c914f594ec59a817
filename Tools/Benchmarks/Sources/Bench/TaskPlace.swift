import Foundation
import VarveFormat

/// The program, the libraries that are preloaded into it, and its trace.
struct TaskPlace {
  private let folder: String
  private let program: String

  private static let few = 1_000
  private static let many = 3_000

  /// Copies everything without debug information, of which valgrind does not know every kind.
  init(command: String) throws {
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-bench-tasks-\(ProcessInfo.processInfo.processIdentifier)").path
    program = folder + "/TaskBench"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let bench = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let libraries = URL(fileURLWithPath: command).resolvingSymlinksInPath()
      .deletingLastPathComponent().path
    for file in [
      bench + "/TaskBench", libraries + "/libVarveTasks.so",
      libraries + "/libVarveGuestRecorder.so",
    ] {
      let copy = folder + "/" + URL(fileURLWithPath: file).lastPathComponent
      _ = try ClientTable.output("strip", ["-g", "-o", copy, file])
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// Nanoseconds of an operation; recorded if there are options for it.
  func time(_ operation: String, recording: String?) throws -> Double {
    let printed = try run(operation, operations: 1_000, rounds: 25, recording: recording)
    guard let last = printed.split(whereSeparator: \.isWhitespace).last, let time = Double(last)
    else {
      throw ClientTable.Failure(message: "TaskBench printed: \(printed)")
    }
    return time
  }

  /// How many records an operation writes, and how many of them read the clock.
  func records(_ operation: String) throws -> (Double, Double) {
    var found: [(records: Int, reads: Int)] = []
    for operations in [Self.few, Self.many] {
      _ = try run(operation, operations: operations, rounds: 1, recording: "stacks=yes")
      let trace = try TraceReader(path: folder + "/tasks.varve")
      var columns = EventColumns()
      var (records, shared) = (0, 0)
      for block in trace.blocks.indices {
        try trace.decode(block, into: &columns, columns: [.ticks])
        records += columns.count
        for event in 0..<columns.count where event > 0 {
          shared += columns.ticks[event] == columns.ticks[event - 1] + 1 ? 1 : 0
        }
      }
      found.append((records, records - shared))
    }
    let operations = Double(Self.many - Self.few)
    return (
      Double(found[1].records - found[0].records) / operations,
      Double(found[1].reads - found[0].reads) / operations
    )
  }

  /// How many instructions more an operation takes when it is recorded with stacks.
  func instructions(_ operation: String) throws -> Double {
    var counts: [Double] = []
    for recording in [nil, "stacks=yes"] {
      let few = try instructions(operation, operations: Self.few, recording: recording)
      let many = try instructions(operation, operations: Self.many, recording: recording)
      counts.append(Double(many - few) / Double(Self.many - Self.few))
    }
    return counts[1] - counts[0]
  }

  /// Those of all threads but the one that writes the trace, which alone encodes events.
  private func instructions(
    _ operation: String, operations: Int, recording: String?
  ) throws -> Int {
    let profile = folder + "/profile"
    _ = try run(
      operation, operations: operations, rounds: 1, recording: recording,
      under: [
        "valgrind", "-q", "--tool=callgrind", "--separate-threads=yes",
        "--callgrind-out-file=\(profile)",
      ])
    var sum = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: folder)
    where file.hasPrefix("profile") {
      let path = folder + "/" + file
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try FileManager.default.removeItem(atPath: path)
      if text.contains("EventEncoder") { continue }
      for line in text.split(separator: "\n") where line.hasPrefix("totals:") {
        sum += line.split(separator: " ").last.flatMap { Int($0) } ?? 0
      }
    }
    return sum
  }

  private func run(
    _ operation: String, operations: Int, rounds: Int, recording: String?, under: [String] = []
  ) throws -> String {
    var words = under
    #if os(Linux)
      let last = ProcessInfo.processInfo.processorCount - 1
      if under.isEmpty { words = ["taskset", "-c", "\(last)"] }
    #endif
    words += [
      program, "--only", operation, "--operations", "\(operations)", "--rounds", "\(rounds)",
    ]
    guard let recording else { return try ClientTable.output(words[0], Array(words.dropFirst())) }
    let trace = folder + "/tasks.varve"
    try? FileManager.default.removeItem(atPath: trace)
    // As `varve run` does it, which itself is no part of what is measured.
    return try ClientTable.output(
      "env",
      [
        "VARVE_TRACE=\(trace)", "VARVE_OPTIONS=\(recording),policy=block",
        "LD_PRELOAD=\(folder)/libVarveTasks.so",
      ] + words)
  }
}
