import Testing
import VarveProbe

@testable import VarveAnalysis
@testable import VarveExport

@Suite("What a search looks for")
struct SearchTests {
  private static let texts = [
    "", "query 52", "Query 52", "QUERY", "yes", "Äpfel", "naïve", "\u{212A}elvin", "İ", "straße",
    "-12", "inf", "true",
  ]
  private static let wanted = texts + ["k", "i", "5", "e", "-", "nan", "als", "s", "ss", "y 5"]
  private static let numbers: [UInt64] = [
    0, 1, 52, UInt64(bitPattern: -12), .max, (52.5).bitPattern, Double.nan.bitPattern,
    Double.infinity.bitPattern, (1e300).bitPattern,
  ]

  @Test(
    "what is passed over without being made is never what is looked for", arguments: [false, true])
  func passesOver(isExpression: Bool) throws {
    var passed = 0
    for text in Self.wanted {
      let test = try SearchTest(text, isExpression: isExpression)
      for kind in PayloadKind.allCases {
        for own in Self.texts {
          for word in Self.numbers {
            let bytes = Array(own.utf8)
            let may = test.mayMatch(kind, bytes[...])
            let payload = EventPayload(kind: kind, word: word, bytes: bytes)
            #expect(may || !test.matches(payload), "\(text) in \(kind) \(own) \(word)")
            if !may { passed += 1 }
          }
        }
      }
    }
    #expect(passed > 0)
  }
}
