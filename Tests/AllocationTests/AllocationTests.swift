import Foundation
import Testing

/// Runs `AllocationChild`, in which the heap's functions count, and reads what it says.
private func allocations() throws -> [String: Int] {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("varve-allocations-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let child = Process()
  child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent().appendingPathComponent("AllocationChild")
  child.arguments = [folder.appendingPathComponent("run.varve").path]
  let output = Pipe()
  child.standardOutput = output
  try child.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  child.waitUntilExit()
  try #require(child.terminationStatus == 0, "\(text)")
  return Dictionary(
    text.split(separator: "\n").compactMap { line in
      guard let space = line.lastIndex(of: " ") else { return nil }
      return Int(line[line.index(after: space)...]).map { (String(line[..<space]), $0) }
    }
  ) { first, _ in first }
}

@Suite("Allocations") struct AllocationTests {
  @Test("N4: events of all simple types pass long chains with names, and are recorded, unallocated")
  func none() throws {
    let counted = try allocations()
    #expect(counted["control"] == 100_000)
    let events = counted.filter { !$0.key.hasPrefix("control") && !$0.key.hasPrefix("references") }
    #expect(events.count == 50, "\(counted)")
    for (what, count) in events { #expect(count == 0, "\(what)") }
  }
}
