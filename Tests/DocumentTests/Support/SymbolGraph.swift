import Foundation

/// The public declarations of a module, as the compiler wrote them beside these tests.
struct SymbolGraph {
  /// Those that are not inside another one.
  let names: [String]

  private struct Graph: Decodable {
    struct Symbol: Decodable { let pathComponents: [String] }
    let symbols: [Symbol]
  }

  private struct Failed: Error { let output: String }

  init(of module: String) throws {
    let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let maps = [
      built.appendingPathComponent("CVarveSystem.build/module.modulemap"),
      Repository.location(of: "Sources/CZlib/module.modulemap"),
    ]
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("symbols-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.run(
      ["swift-symbolgraph-extract", "-module-name", module, "-target", try Self.target()]
        + ["-I", built.appendingPathComponent("Modules").path, "-output-dir", folder.path]
        + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] })
    let file = folder.appendingPathComponent("\(module).symbols.json")
    let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file))
    let top = graph.symbols.map(\.pathComponents).filter { $0.count == 1 }
    names = top.map { $0[0] }
  }

  /// The machine that modules are compiled for.
  private static func target() throws -> String {
    struct Info: Decodable {
      struct Target: Decodable { let unversionedTriple: String }
      let target: Target
    }
    let output = try run(["swiftc", "-print-target-info"])
    return try JSONDecoder().decode(Info.self, from: output).target.unversionedTriple
  }

  @discardableResult
  private static func run(_ command: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(output: String(decoding: output, as: UTF8.self))
    }
    return output
  }
}
