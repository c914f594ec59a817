import Testing

/// What doc comments say of parameters, which the builder of the documentation only warns of.
@Suite struct ParameterTests {
  private static func functions() throws -> [DocumentedFunction] {
    try Repository.files(in: "Sources", endingIn: ".swift").flatMap(DocumentedFunction.all)
  }

  @Test("Every parameter that a comment tells of is there")
  func existing() throws {
    let functions = try Self.functions()
    #expect(functions.count > 80)
    for function in functions {
      let unknown = function.documented.filter { !function.parameters.contains($0) }
      #expect(unknown.isEmpty, "\(function.place) has \(function.parameters), not \(unknown)")
    }
  }

  @Test("A comment that tells of one parameter of a public function tells of all")
  func complete() throws {
    let functions = try Self.functions().filter(\.isPublic)
    #expect(functions.count > 40)
    for function in functions {
      let missing = function.parameters.filter { !function.documented.contains($0) }
      #expect(missing.isEmpty, "\(function.place) says nothing of \(missing)")
    }
  }
}
