import Testing

@Suite("Docs/Contract.md")
struct ContractTests {
  private let document: ContractDocument
  private let borne: BorneClauses

  init() throws {
    document = try ContractDocument(Repository.lines(of: "Docs/Contract.md"))
    borne = try BorneClauses()
  }

  @Test("No clause is left out: the numbers of each family run from 1 without a gap")
  func numbering() {
    let families = Dictionary(grouping: document.clauses, by: \.letter)
    #expect(families.keys.sorted() == "ABDEFGHKLNOPSTY".map { $0 })
    for (letter, clauses) in families {
      #expect(clauses.map(\.number) == Array(1...clauses.count), "family \(letter)")
    }
  }

  @Test("Every suite that the document names bears its clause in the name of a test")
  func namedSuites() {
    for clause in document.clauses {
      for suite in clause.suites {
        #expect(borne.suites[clause.id]?.contains(suite) == true, "\(clause.id): \(suite)")
      }
    }
  }

  @Test("Every clause that a test bears is in the document")
  func knownClauses() {
    let known = Set(document.clauses.map(\.id))
    let families = Set(document.clauses.map(\.letter))
    for (id, suites) in borne.suites where families.contains(id[id.startIndex]) {
      #expect(known.contains(id), "\(id), in \(suites.sorted())")
    }
  }

  /// A warning, so that whoever adds a first test is not stopped by a document.
  @Test("A clause is called untested only while no test bears it")
  func untested() {
    for clause in document.clauses where clause.suites.isEmpty {
      guard let suites = borne.suites[clause.id] else { continue }
      Issue.record("\(clause.id) is tested by \(suites.sorted())", severity: .warning)
    }
  }
}
