import Foundation

/// `Docs/Contract.md`, as far as a program can read it.
struct ContractDocument {
  /// A promise and where the document says it is tested.
  struct Clause {
    /// `E6`.
    let id: String
    /// The suites that the document names; empty where it says that there is no test yet.
    let suites: [String]

    var letter: Character { id[id.startIndex] }
    var number: Int { Int(id.dropFirst()) ?? 0 }
  }

  let clauses: [Clause]

  /// How a line looks that begins a clause, and one that names its tests.
  init(_ lines: [Substring]) throws {
    let heading = try Regex(#"^\*\*([A-Z][0-9]+)\*\*"#, as: (Substring, Substring).self)
    let suite = try Regex(#"`(\w+)`"#, as: (Substring, Substring).self)
    var clauses: [Clause] = []
    var id: String?
    for line in lines {
      if let match = line.firstMatch(of: heading) { id = String(match.output.1) }
      guard line.hasPrefix("*Tests:*"), let named = id else { continue }
      clauses.append(Clause(id: named, suites: line.matches(of: suite).map { String($0.output.1) }))
      id = nil
    }
    self.clauses = clauses
  }
}

/// Which clauses the names of tests bear: for each, the files of the tests, without `.swift`.
struct BorneClauses {
  private(set) var suites: [String: Set<String>] = [:]

  init() throws {
    let name = try Regex(#"@(?:Test|Suite)\(\s*"([^"]*)""#, as: (Substring, Substring).self)
    let clause = try Regex(#"\b[A-Z][0-9]{1,2}\b"#)
    for path in Repository.files(in: "Tests", endingIn: ".swift") {
      let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      for test in try Repository.text(of: path).matches(of: name) {
        for id in test.output.1.matches(of: clause) {
          suites[String(test.output.1[id.range]), default: []].insert(file)
        }
      }
    }
  }
}
