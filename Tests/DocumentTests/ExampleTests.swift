import Foundation
import Testing

/// Every block of Swift in a document is a piece of `Examples/<document>.swift`, where it is compiled
/// and run.
@Suite struct ExampleTests {
  static let documents =
    ["README.md"] + Repository.files(in: "Docs", endingIn: ".md")
    + Repository.files(in: "Sources", endingIn: ".md")

  /// The program that the tutorial begins with. It is a program of its own, which the tests of the
  /// command record: the lines that its trace tells are those of this file.
  private static let tutorial = (document: "GettingStarted", program: "Tests/Tutorial/main.swift")

  private static func name(of document: String) -> String {
    URL(fileURLWithPath: document).deletingPathExtension().lastPathComponent
  }

  private static func source(of document: String) -> String {
    "Tests/DocumentTests/Examples/\(name(of: document)).swift"
  }

  private static func compiled(for document: String) throws -> [Example] {
    var examples: [Example] = []
    if name(of: document) == tutorial.document {
      let program = try Repository.text(of: tutorial.program).dropLast()
      examples.append(
        Example(
          lines: program.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)))
    }
    let source = source(of: document)
    guard Repository.contains(source) else { return examples }
    return examples + Example.inSource(try Repository.lines(of: source))
  }

  @Test("A document's examples are those that its source compiles", arguments: documents)
  func examples(_ document: String) throws {
    let written = try Example.inDocument(Repository.lines(of: document))
    let compiled = try Self.compiled(for: document)
    for (index, (one, other)) in zip(written, compiled).enumerated() {
      #expect(one.lines == other.lines, "example \(index + 1) of \(document)")
    }
    #expect(written.count == compiled.count, "examples of \(document)")
  }

  @Test("Every source of examples belongs to a document")
  func sources() {
    let known = Set(Self.documents.map(Self.source))
    for source in Repository.files(in: "Tests/DocumentTests/Examples", endingIn: ".swift") {
      #expect(known.contains(source), "\(source)")
    }
  }
}
