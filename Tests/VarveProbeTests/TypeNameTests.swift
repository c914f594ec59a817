import Testing

@testable import VarveProbe

private struct Order {}

@Suite("Names of types")
struct TypeNameTests {
  private enum Mistake: Error {}

  @Test("T1: a private type has its module and its name, and no address")
  func privateTypes() {
    struct Local {}
    #expect(TypeNames.qualified(Order.self) == "VarveProbeTests.Order")
    #expect(TypeNames.qualified(Mistake.self) == "VarveProbeTests.TypeNameTests.Mistake")
    #expect(TypeNames.qualified([Order].self) == "Swift.Array<VarveProbeTests.Order>")
    #expect(TypeNames.qualified(Local.self).hasSuffix(".Local"))
    #expect(!TypeNames.qualified(Local.self).contains("unknown"))
  }

  @Test("T1: names are cut of contexts alone")
  func contexts() {
    let names = [
      "Shop.(unknown context at $10ab3c).Order": "Shop.Order", "(A, B) -> C": "(A, B) -> C",
      "(unknown context at $1).(unknown context at $2).E": "E", "Shop.Order": "Shop.Order", "": "",
    ]
    for (name, short) in names { #expect(TypeNames.withoutContexts(name) == short) }
  }
}
