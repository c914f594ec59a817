import Testing

/// What the compiler takes our word for.
@Suite struct SafetyTests {
  private static let claims = ["@unchecked Sendable", "nonisolated(unsafe)"]

  /// Programs with bugs are written as anybody writes them.
  private static let programs = "Tests/Bugs/"

  @Test("Each claim that the compiler does not check has its reason beside it, after `Safety:`")
  func reasons() throws {
    var count = 0
    for folder in [
      "Sources", "Tests", "Tools/varve/Sources", "Tools/SearchDemo", "Tools/Benchmarks/Sources",
    ] {
      for path in Repository.files(in: folder, endingIn: ".swift")
      where !path.hasPrefix(Self.programs) {
        let lines = try Repository.lines(of: path)
        for index in lines.indices where Self.isClaim(lines[index]) {
          count += 1
          let isReasoned = Self.hasReason(lines, index)
          #expect(isReasoned, "\(path):\(index + 1) claims without saying why")
        }
      }
    }
    #expect(count > 100)
  }

  private static func isClaim(_ line: Substring) -> Bool {
    let code = line.prefix { $0 != "/" && $0 != "\"" }
    return claims.contains { code.contains($0) }
  }

  /// In the paragraph that ends with the claim, or in the lines that follow it up to the next gap.
  private static func hasReason(_ lines: [Substring], _ index: Int) -> Bool {
    let before = lines[..<index].reversed().prefix { !$0.allSatisfy { $0 == " " } }
    let after = lines[(index + 1)...].prefix(6).prefix { !$0.allSatisfy { $0 == " " } }
    return (before + after).contains { $0.contains("Safety:") }
  }
}
