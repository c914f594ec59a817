#if os(Linux)
  import Testing

  /// What an app imports brings along what its declarations mention.
  @Suite("Types in public declarations") struct SpellingTests {
    /// What a module hands on of others: `VarveProbe.TraceValue`, or `VarveReactive` as a whole.
    private func exports(of module: String) throws -> Set<String> {
      let line = try Regex(
        #"^@_exported public import (?:\w+ )?(Varve\w+(?:\.\w+)?)$"#,
        as: (Substring, Substring).self)
      let files = Repository.files(in: "Sources/\(module)", endingIn: ".swift")
      return try Set(
        files.flatMap { file in
          try Repository.lines(of: file).compactMap { $0.firstMatch(of: line) }
            .map { String($0.output.1) }
        })
    }

    @Test(
      "Each type can be spelt by those who import the module alone, and none is C's",
      arguments: ["VarveReactive", "VarveRecorder", "ReactiveSwiftCompatibility"])
    func spelling(_ module: String) throws {
      let exports = try exports(of: module)
      let owner = try Regex(#"^s:\d+(Varve[A-Z][a-z]+)"#, as: (Substring, Substring).self)
      for (type, identifier) in try SymbolGraph(of: module).mentioned {
        #expect(!identifier.hasPrefix("c:"), "\(type) is C's")
        guard let match = identifier.firstMatch(of: owner) else { continue }
        let other = String(match.output.1)
        guard other != module, !exports.contains(other) else { continue }
        #expect(exports.contains("\(other).\(type)"), "\(type) is of \(other)")
      }
    }
  }
#endif
