import Foundation
import Testing

/// Every block of Swift in a document is a piece of `Examples/<document>.swift`, where it is compiled
/// and run.
@Suite struct ExampleTests {
  static let documents = ["README.md"] + Repository.files(in: "Docs", endingIn: ".md")

  private static func source(of document: String) -> String {
    let name = URL(fileURLWithPath: document).deletingPathExtension().lastPathComponent
    return "Tests/DocumentTests/Examples/\(name).swift"
  }

  @Test("A document's examples are those that its source compiles", arguments: documents)
  func examples(_ document: String) throws {
    let written = try Example.inDocument(Repository.lines(of: document))
    let source = Self.source(of: document)
    let compiled =
      try Repository.contains(source) ? Example.inSource(Repository.lines(of: source)) : []
    for (index, (one, other)) in zip(written, compiled).enumerated() {
      #expect(one.lines == other.lines, "example \(index + 1) of \(document)")
    }
    #expect(written.count == compiled.count, "examples of \(document) and \(source)")
  }

  @Test("Every source of examples belongs to a document")
  func sources() {
    let known = Set(Self.documents.map(Self.source))
    for source in Repository.files(in: "Tests/DocumentTests/Examples", endingIn: ".swift") {
      #expect(known.contains(source), "\(source)")
    }
  }
}
