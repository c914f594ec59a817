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
    try growing(traits, count: count) { .string(text($0)) }
  }

  private func growing(
    _ traits: StreamTraits, count: Int = 40, _ payload: (Int) -> ScriptedPayload
  ) throws -> [GrowingValues.Growth] {
    var script = TraceScript()
    let list = script.stream("list", "scan(_:_:)", line: 1, traits: traits)
    for index in 0..<count {
      script.record(
        .value, of: list, payload(index), at: Double(index))
    }
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
  }

  @Test("G1: a value that describes itself grows until a record keeps no more of it, and may go on")
  func cut() throws {
    // Where a description crosses the limit hangs on its last part.
    let found = try described { String(repeating: "c", count: min(70 * ($0 + 1), 257 + $0 % 7)) }
    #expect(found.map(\.isCut) == [true])
    #expect(try described { _ in String(repeating: "c", count: 257) }.isEmpty)
    #expect(try described { String(repeating: "c", count: 200 + $0) }.isEmpty)
  }

  private func described(_ text: (Int) -> String) throws -> [GrowingValues.Growth] {
    try growing(.gathers) { .description(text($0)) }
  }

  @Test("G1: few values, those of one length, a window, and other operators do not grow")
  func steady() throws {
    #expect(try growing(.gathers, { list($0 + 1) }, count: 20).isEmpty)
    #expect(try growing(.gathers) { _ in list(9) }.isEmpty)
    #expect(try growing(.gathers) { list($0 % 10 + 1) }.isEmpty)
    #expect(try growing(.hot) { list($0 + 1) }.isEmpty)
  }
}
