import Foundation
import Testing

/// What the probe costs while nothing records. That the root's look at the gate is three
/// instructions takes a release build without it: `Tools/Mutants/probe-cost` counts that.
@Suite("T8: the probe while nothing records") struct ProbeCostTests {
  private static let isCounted =
    !isSanitized && ["valgrind", "strip"].allSatisfy { (try? run("which", [$0])) != nil }

  /// A program with ThreadSanitizer in it does not run in valgrind.
  private static var isSanitized: Bool { dlsym(nil, "__tsan_init") != nil }

  @Test(
    "T8: with recording off an event costs what it did before any recording, stages or not",
    .enabled(if: isCounted, "valgrind and strip are needed, and no sanitizer"))
  func nothingPerStage() throws {
    let costs = try Self.costs()
    let flat = try #require(costs["beforeFlat"])
    let deep = try #require(costs["beforeDeep"])
    #expect(costs["afterFlat"] == flat)
    #expect(costs["afterDeep"] == deep)
    // Otherwise nothing would have been counted.
    #expect(flat > 300 && deep > flat)
    #expect(try #require(costs["duringFlat"]) > flat)
    #expect(try #require(costs["duringDeep"]) > deep)
  }

  /// The instructions of the functions that the child program announces, by name.
  private static func costs() throws -> [String: Int] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-costs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let child = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("ReactiveChild").path
    let stripped = folder.appendingPathComponent("child").path
    let out = folder.appendingPathComponent("out").path
    // Valgrind fails on debug information of a newer kind than it knows.
    try run("strip", ["-g", "-o", stripped, child])
    try run(
      "valgrind",
      [
        "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", "--demangle=no",
        "--callgrind-out-file=\(out)", stripped, "costs",
      ])
    return parse(try String(contentsOfFile: out, encoding: .utf8))
  }

  /// Reads calls: `cfn=` and the function's name, `calls=`, then a line with what it cost in all.
  private static func parse(_ output: String) -> [String: Int] {
    let names = ["before", "during", "after"].flatMap { ["\($0)Flat", "\($0)Deep"] }
    var costs: [String: Int] = [:]
    var called: String?
    var isCostNext = false
    for line in output.split(separator: "\n") {
      if isCostNext {
        let cost = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        if let called, let cost { costs[called, default: 0] += cost }
        (called, isCostNext) = (nil, false)
      } else if line.hasPrefix("cfn=") {
        called = names.first { line.contains($0) }
      } else if line.hasPrefix("calls=") {
        isCostNext = true
      }
    }
    return costs
  }

  @discardableResult
  private static func run(_ tool: String, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ToolFailed(tool: tool) }
    return process.terminationStatus
  }

  private struct ToolFailed: Error { var tool: String }
}
