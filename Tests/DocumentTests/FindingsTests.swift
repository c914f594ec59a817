import Testing
import VarveAnalysis

@Suite("Docs/Findings.md")
struct FindingsTests {
  /// The text of the section of each kind.
  private func sections() throws -> [String: String] {
    let parts = try Repository.text(of: "Docs/Findings.md").split(separator: "\n## ").dropFirst()
    return Dictionary(
      parts.map { (String($0.prefix { $0 != "\n" }), String($0)) }, uniquingKeysWith: { $0 + $1 })
  }

  @Test("G1: Each kind of finding has a section, and each section is of a kind")
  func complete() throws {
    #expect(try Set(sections().keys) == Set(Finding.Kind.allCases.map(\.rawValue)))
  }

  @Test(
    "G1: Each kind says what it needs, what it takes for something else, and what it costs",
    arguments: Finding.Kind.allCases)
  func parts(_ kind: Finding.Kind) throws {
    let section = try #require(sections()[kind.rawValue])
    for part in ["Needs", "ear misses", "Cost"] {
      #expect(section.contains(part), "\(kind) lacks \(part)")
    }
  }
}
