import Foundation
import Measurement

/// What the compiler needs to check the types of a chain of operators that is one expression, whose
/// closures say nothing about types: what made clients of the predecessor wait for minutes.
enum CompileTable {
  /// A file for the compiler, against the modules that this program was built with.
  private enum Source: String, CaseIterable {
    case varve = """
      import Varve

      func chain(_ n: Int) -> SignalProducer<Int, Never> {
        SignalProducer<Int, Never>(0..<n).map { $0 * 2 }.filter { $0 % 3 == 0 }.scan(0) { $0 + $1 }
          .take(first: 10)
      }
      """
    case varveImport = "import Varve"
    case openCombine = """
      import OpenCombine

      func chain(_ n: Int) -> AnyPublisher<Int, Never> {
        (0..<n).publisher.map { $0 * 2 }.filter { $0 % 3 == 0 }.scan(0) { $0 + $1 }
          .prefix(10).eraseToAnyPublisher()
      }
      """
    case openCombineImport = "import OpenCombine"
  }

  private static let rounds = 7

  static func run(_ options: Options, into report: inout Report) throws {
    guard options.wants("compile") else { return }
    var seconds: [Source: [Double]] = [:]
    // The first round warms up what the machine keeps of the modules.
    for round in 0...rounds {
      for source in Source.allCases {
        let cost = try check(source)
        if round > 0 { seconds[source, default: []].append(cost) }
      }
    }
    func median(_ source: Source) -> Double { seconds[source, default: []].median }
    let row = Report.Compile(
      varveSeconds: median(.varve), varveImportSeconds: median(.varveImport),
      opencombineSeconds: median(.openCombine),
      opencombineImportSeconds: median(.openCombineImport))
    report.compile = row
    Table.heading("CPU s to check the types of", ["Varve", "OpenCombine", "ratio"])
    Table.row(
      "a file with a chain",
      [row.varveSeconds, row.opencombineSeconds, row.ratio].map { Table.number($0) })
    Table.row(
      "its import alone",
      [row.varveImportSeconds, row.opencombineImportSeconds].map { Table.number($0) })
  }

  /// The CPU seconds that the compiler needs for a file.
  private static func check(_ source: Source) throws -> Double {
    let file = Files.temporary("chain") + ".swift"
    try source.rawValue.write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let start = ChildClock.now
    try runCompiler(on: file)
    return ChildClock.now - start
  }

  private static func runCompiler(on file: String) throws {
    let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let package = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let maps = [
      built.appendingPathComponent("CVarveSystem.build/module.modulemap"),
      built.appendingPathComponent("COpenCombineHelpers.build/module.modulemap"),
      package.appendingPathComponent("Sources/CZlib/module.modulemap"),
    ]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6",
        "-I", built.appendingPathComponent("Modules").path,
      ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + [file]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(message: said) }
  }

  /// What the compiler said of a file that it did not take.
  struct Failure: Error, CustomStringConvertible {
    var message: String
    var description: String { "the compiler refused the chain:\n\(message)" }
  }
}
