import Foundation

/// The public declarations of a module, as the compiler wrote them beside these tests.
struct SymbolGraph {
  /// Those that are not inside another one.
  let names: [String]
  /// The types that declarations mention, with how the compiler calls each: `s:10VarveProbe4LockV`.
  let mentioned: [(type: String, identifier: String)]

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      let pathComponents: [String]
      let declarationFragments: [Fragment]
    }
    struct Fragment: Decodable {
      let kind: String
      let spelling: String
      let preciseIdentifier: String?
    }
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
    func symbols(_ file: String) throws -> [Graph.Symbol] {
      let data = try Data(contentsOf: folder.appendingPathComponent(file))
      return try JSONDecoder().decode(Graph.self, from: data).symbols
    }
    let top = try symbols("\(module).symbols.json").map(\.pathComponents).filter { $0.count == 1 }
    names = top.map { $0[0] }
    // Extensions of other modules' types lie in files of their own.
    let all = try FileManager.default.contentsOfDirectory(atPath: folder.path).flatMap(symbols)
    mentioned = all.flatMap(\.declarationFragments).compactMap { fragment in
      guard fragment.kind == "typeIdentifier" else { return nil }
      return fragment.preciseIdentifier.map { (fragment.spelling, $0) }
    }
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
