import Foundation
import Testing

/// What it takes to be a client of this package: `Tests/Client` is one.
@Suite struct ClientTests {
  @Test("Who imports Varve or the compatibility product fetches nothing, and pins nothing")
  func checkouts() throws {
    let scratch = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-client-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let client = Repository.location(of: "Tests/Client")
    let pins = client.appendingPathComponent("Package.resolved")
    try? FileManager.default.removeItem(at: pins)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", client.path, "--scratch-path", scratch.path, "resolve",
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let state = scratch.appendingPathComponent("workspace-state.json")
    #expect(try String(contentsOf: state, encoding: .utf8).contains("\"fileSystem\""))
    for folder in ["checkouts", "repositories"] {
      let path = scratch.appendingPathComponent(folder).path
      #expect((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] == [], "\(folder)")
    }
    #expect(!FileManager.default.fileExists(atPath: pins.path))
  }
}
