import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Values that grow")
struct GrowingValuesTests {
  private let folder = TemporaryFolder()

  private func growing(
    _ traits: StreamTraits, _ text: (Int) -> String, count: Int = 40
  ) throws -> [GrowingValues.Growth] {
    var script = TraceScript()
    let list = script.stream("list", "scan(_:_:)", line: 1, traits: traits)
    for index in 0..<count { script.value(list, text(index), at: Double(index)) }
    try script.write(to: folder.file("growing.varve"))
    return try GrowingValues(TraceReader(path: folder.file("growing.varve"))).all
  }

  private func list(_ count: Int) -> String {
    "[" + Array(repeating: "element", count: count).joined(separator: ", ") + "]"
  }

  @Test(
    "G1: an operator that gathers, or a property, whose values become longer and longer is found")
  func longer() throws {
    for traits in [StreamTraits.gathers, [.hot, .replays]] {
      let found = try growing(traits) { list($0 + 1) }
      #expect(found.count == 1 && found.first?.values == 40)
      #expect(found.first?.first == UInt64(list(1).utf8.count))
    }
    // A record keeps no more of a value that describes itself.
    #expect(try growing(.gathers) { list(min($0 + 1, 25)) }.count == 1)
  }

  @Test("G1: few values, those of one length, a window, and other operators do not grow")
  func steady() throws {
    #expect(try growing(.gathers, { list($0 + 1) }, count: 20).isEmpty)
    #expect(try growing(.gathers) { _ in list(9) }.isEmpty)
    #expect(try growing(.gathers) { list($0 % 10 + 1) }.isEmpty)
    #expect(try growing(.hot) { list($0 + 1) }.isEmpty)
  }
}
