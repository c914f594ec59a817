import Foundation
import Testing
import VarveFormat
import VarveProbe
import VarveTraceScript

@testable import VarveAnalysis

/// What the programs that know debug information say of code that was inlined.
@Suite("Symbols of inlined code")
struct SymbolToolTests {
  private let folder = TemporaryFolder()

  private func run(_ words: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(words)")
    return String(decoding: text, as: UTF8.self)
  }

  @Test(
    "B2: functions that were inlined are shown, the innermost first, before the one they lie in",
    arguments: ["llvm-symbolizer", "addr2line"])
  func inlined(tool: String) throws {
    let (source, library) = (folder.file("shop.c"), folder.file("shop.so"))
    try """
    static inline __attribute__((always_inline)) int price(int piece) {
      __asm__ volatile("nop");
      return piece * 3;
    }
    static inline __attribute__((always_inline)) int total(int piece) {
      return price(piece) + 1;
    }
    int checkout(int piece) {
      return total(piece) * 2;
    }
    """.write(toFile: source, atomically: true, encoding: .utf8)
    _ = try run("clang", "-g", "-O1", "-shared", "-fPIC", source, "-o", library)
    let line = try #require(
      run("nm", library).split(separator: "\n").first { $0.hasSuffix(" checkout") })
    let start = try #require(line.split(separator: " ").first.flatMap { UInt64($0, radix: 16) })
    // Somewhere in its first instructions.
    let found = SymbolTool(path: try #require(ToolOutput.path(of: tool)))
      .functions(at: (start..<start + 24).map { $0 }, in: library)
    let deepest = try #require(found.values.max { $0.count < $1.count })
    #expect(deepest.map(\.function) == ["price", "total", "checkout"])
    #expect(deepest.map(\.line).dropFirst() == [6, 9])
    #expect(deepest.allSatisfy { $0.file?.hasSuffix("shop.c") == true })

    // In a trace, each is a frame; all but the last were inlined.
    let address = try #require(found.first { $0.value.count == 3 }).key
    var definitions = TraceDefinitions()
    definitions.insert(.symbol(SymbolDefinition(address: address, functions: deepest)))
    let named = Symbolizer(definitions, looksUp: false)
      .named([StackFrame(address: address, isResumption: true)])
    #expect(named.map(\.isInlined) == [true, true, false])
    #expect(named.map(\.function) == ["price", "total", "checkout"])
  }
}
