import Foundation
import Measurement

/// What those pay who import a product: a program of ten lines, in a package of its own that depends on
/// this one by path.
enum ClientTable {
  private static let runs = 21

  /// What a client imports, and its ten lines.
  private enum Client: String, CaseIterable {
    case varve = "Varve"
    case compatibility = "ReactiveSwiftCompatibility"
    /// What any program costs.
    case neither

    var source: String {
      guard self != .neither else { return "print(3)\n" }
      return """
        import \(rawValue)

        let (numbers, input) = Signal<Int, Never>.pipe()
        let total = Property(initial: 0, then: numbers.filter { $0 > 0 }.scan(0) { $0 + $1 })
        numbers.map { "\\($0)" }.skipRepeats().observeValues { print($0) }
        for number in 0..<3 {
          input.send(value: number)
        }
        input.sendCompleted()
        print(total.value)

        """
    }

    func manifest(_ root: URL) -> String {
      let package = #".package(name: "varve", path: "\#(root.path)")"#
      let product = #".product(name: "\#(rawValue)", package: "varve")"#
      let isBare = self == .neither
      return """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
          name: "client", platforms: [.macOS(.v15)], dependencies: [\(isBare ? "" : package)],
          targets: [
            .executableTarget(name: "client", dependencies: [\(isBare ? "" : product)], path: "Client")
          ])

        """
    }
  }

  static func run(_ options: Options, into report: inout Report) throws {
    guard options.names("client") else { return }
    Table.heading("a program of ten lines", ["build CPU s", "stripped KiB", "start CPU ms"])
    for client in Client.allCases {
      let row = try measure(client)
      report.client[client.rawValue] = row
      Table.row(
        "that imports \(client.rawValue)",
        [row.buildSeconds, Double(row.strippedBytes) / 1024, row.startUpMs].map(Table.number))
    }
  }

  private static func measure(_ client: Client) throws -> Report.Client {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-bench-client-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let sources = folder.appendingPathComponent("Client")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    try client.source.write(
      to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
    try client.manifest(root).write(
      to: folder.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)

    // What is fetched, and the manifests, are no part of a build.
    _ = try output("swift", ["package", "--package-path", folder.path, "resolve"])
    let build = ["build", "-c", "release", "--package-path", folder.path]
    let start = ChildClock.now
    _ = try output("swift", build)
    let seconds = ChildClock.now - start

    let built = try output("swift", build + ["--show-bin-path"])
    let program = built.trimmingCharacters(in: .whitespacesAndNewlines) + "/client"
    let stripped = folder.appendingPathComponent("stripped").path
    _ = try output("strip", ["-o", stripped, program])
    let size = try FileManager.default.attributesOfItem(atPath: stripped)[.size] as? Int
    // The first run warms up what the machine keeps of the file.
    let starts = try (0...runs).map { _ in try startUp(stripped) }.dropFirst()
    return Report.Client(
      buildSeconds: seconds, strippedBytes: size ?? 0, startUpMs: Array(starts).median)
  }

  private static func startUp(_ program: String) throws -> Double {
    let start = ChildClock.now
    guard try output(program, []).hasSuffix("3\n") else {
      throw Failure(message: "the client's program printed something else")
    }
    return (ChildClock.now - start) * 1_000
  }

  static let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// Runs a program and returns what it printed.
  static func output(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let isPath = program.hasPrefix("/")
    process.executableURL = URL(fileURLWithPath: isPath ? program : "/usr/bin/env")
    process.arguments = isPath ? arguments : [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let printed = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(message: "\(program) \(arguments) failed:\n\(printed.suffix(2_000))")
    }
    return printed
  }

  /// Why nothing could be measured.
  struct Failure: Error, CustomStringConvertible {
    var message: String
    var description: String { message }
  }
}
