import Foundation
import Testing

@Suite("Docs/Operators.md")
struct OperatorsTests {
  /// The letter by which the document calls each type that has operators.
  private static let letters = [
    "Signal": "S", "SignalProducer": "P", "PropertyProtocol": "Y", "Property": "Y",
    "MutableProperty": "Y", "ValidatingProperty": "Y", "LazyList": "L",
  ]
  /// Functions that are no operators: what the standard library asks of a sequence.
  private static let others: Set = ["makeIterator()"]

  /// What the sources have: for each name, the letters of the types.
  private func declared() throws -> [String: Set<String>] {
    var operators: [String: Set<String>] = [:]
    let paths = ["VarveReactive", "ReactiveCocoa2Compatibility"].flatMap {
      Repository.files(in: "Sources/\($0)", endingIn: ".swift")
    }
    for path in paths {
      for function in try PublicFunction.all(in: path) where !Self.others.contains(function.name) {
        guard let letter = Self.letters[function.type] else { continue }
        operators[function.name, default: []].insert(letter)
      }
    }
    return operators
  }

  /// What the document has.
  private func written() throws -> [String: Set<String>] {
    let row = try Regex(
      #"^\| `([^`]+)` \| ([A-Z]+) \|"#, as: (Substring, Substring, Substring).self)
    var operators: [String: Set<String>] = [:]
    for line in try Repository.lines(of: "Docs/Operators.md") {
      guard let match = line.firstMatch(of: row) else { continue }
      let name = String(match.output.1)
      #expect(operators[name] == nil, "\(name) stands there twice")
      operators[name] = Set(match.output.2.map(String.init))
    }
    return operators
  }

  @Test("No operator is missing, none is made up, and each is where the document says")
  func complete() throws {
    let declared = try declared()
    let written = try written()
    #expect(declared.count > 100)
    for (name, types) in declared {
      #expect(written[name]?.sorted() == types.sorted(), "\(name)")
    }
    for name in written.keys where declared[name] == nil {
      Issue.record("\(name) is in no source")
    }
  }

  @Test("Every row names the operator in four other libraries, or says that there is none")
  func neighbours() throws {
    for line in try Repository.lines(of: "Docs/Operators.md") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 7 && !cells.contains(""), "\(line)")
    }
  }
}
