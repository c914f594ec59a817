import Foundation
import Testing

/// Holds the tables of operators against the module's public interface, overload by overload.
///
/// What is public is asked of the compiler: the symbol graph of the module that this test is linked
/// with. Which of it the tables apply is asked of their object files: they refer to each function
/// that they call by its mangled name, which the symbol graph knows as well.
@Suite struct OperatorCensus {
  #if DEBUG
    private static let isReadable = true
  #else
    // Optimised tables lie in one object file, with what was inlined into them.
    private static let isReadable = false
  #endif

  @Test("O2: every public overload is put through the laws", .enabled(if: isReadable))
  func complete() throws {
    let operators = try PublicOperator.all()
    // Far fewer would mean that the graph is not understood any more.
    try #require(operators.count > 200)
    let applied = try Self.symbolsOfTables()
    let missing = operators.filter { !applied.contains($0.symbol) }
    for missing in missing.sorted(by: { $0.declaration < $1.declaration }) {
      Issue.record("no table of operators applies \(missing.declaration)")
    }
  }

  /// The folder of the build that this test is a part of.
  fileprivate static let build = URL(fileURLWithPath: CommandLine.arguments[0])
    .deletingLastPathComponent()

  /// The functions that the tables call.
  private static func symbolsOfTables() throws -> Set<String> {
    let folder = build.appendingPathComponent("VarveReactiveTests.build")
    let objects = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".swift.o")
        && ($0.hasPrefix("OperatorTable") || $0.hasPrefix("OwnOperators."))
    }
    try #require(objects.count >= 6, "no tables in \(folder.path)")
    let symbols = try objects.map { object in
      try run("nm", ["-u", folder.appendingPathComponent(object).path])
    }
    return Set(
      symbols.joined(separator: "\n").split(separator: "\n").compactMap {
        $0.split(separator: " ").last.map(String.init)
      })
  }

  /// What a tool prints.
  fileprivate static func run(_ tool: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(tool) failed")
    return String(decoding: data, as: UTF8.self)
  }
}

/// A public function that makes a stream of streams.
private struct PublicOperator {
  /// As the linker knows it.
  let symbol: String
  /// As the source has it.
  let declaration: String

  static func all() throws -> [PublicOperator] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-census-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let build = OperatorCensus.build
    _ = try OperatorCensus.run(
      "swift-symbolgraph-extract",
      [
        "-module-name", "VarveReactive", "-I", build.appendingPathComponent("Modules").path,
        "-Xcc", "-fmodule-map-file=\(build.path)/CVarveSystem.build/module.modulemap",
        "-minimum-access-level", "public", "-target", target, "-output-dir", folder.path,
      ])
    let graph = try JSONDecoder().decode(
      SymbolGraph.self,
      from: Data(contentsOf: folder.appendingPathComponent("VarveReactive.symbols.json")))
    return graph.symbols.filter(\.isOperator).map {
      PublicOperator(
        symbol: "$s" + $0.identifier.precise.dropFirst(2),
        declaration: "\($0.pathComponents[0]): \($0.declaration)")
    }
  }

  private static var target: String {
    #if arch(arm64)
      let processor = "aarch64"
    #else
      let processor = "x86_64"
    #endif
    return "\(processor)-unknown-linux-gnu"
  }
}

/// As much of a symbol graph as matters here.
private struct SymbolGraph: Decodable {
  let symbols: [Symbol]

  struct Symbol: Decodable {
    let kind: Kind
    let identifier: Identifier
    let pathComponents: [String]
    let functionSignature: Signature?
    let declarationFragments: [Fragment]
  }

  struct Kind: Decodable { let identifier: String }
  struct Identifier: Decodable { let precise: String }
  struct Fragment: Decodable { let spelling: String }

  struct Signature: Decodable {
    let parameters: [Parameter]?
    let returns: [Fragment]?
  }

  struct Parameter: Decodable { let declarationFragments: [Fragment] }
}

extension SymbolGraph.Symbol {
  var declaration: String { declarationFragments.map(\.spelling).joined() }

  /// Whether it is a method of a stream that returns one, or a function of streams. Functions that
  /// take none are sources.
  var isOperator: Bool {
    guard ["Signal", "SignalProducer"].contains(pathComponents[0]),
      // An event makes events of itself.
      !pathComponents.contains("Event"),
      functionSignature?.returns?.contains(where: { $0.spelling.isStream }) ?? false
    else { return false }
    switch kind.identifier {
    case "swift.method": return true
    case "swift.type.method": return takesStreams
    default: return false
    }
  }

  private var takesStreams: Bool {
    functionSignature?.parameters?.contains { parameter in
      let type = parameter.declarationFragments.map(\.spelling)
      if type.contains("Observer") { return false }
      return type.contains { $0.isStream || $0 == "Sequence" || $0 == "Collection" }
    } ?? false
  }
}

extension String {
  fileprivate var isStream: Bool {
    ["Signal", "SignalProducer", "SignalProducerConvertible"].contains(self)
  }
}
