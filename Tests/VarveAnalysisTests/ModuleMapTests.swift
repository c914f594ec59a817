import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe

@Suite("Modules by their addresses")
struct ModuleMapTests {
  @Test("of modules that lay over each other, the one that was loaded last counts")
  func overlaps() {
    var definitions = TraceDefinitions()
    var random: UInt64 = 7
    func next(_ most: UInt64) -> UInt64 {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (random >> 33) % most
    }
    for id in 1...60 {
      let start = next(1_000)
      definitions.insert(
        .module(
          ModuleDefinition(
            id: UInt32(id), path: "m\(id)", buildID: [], bias: 0,
            addresses: start..<start + next(200))))
    }
    let symbolizer = Symbolizer(definitions, looksUp: false)
    for address in UInt64(0)..<1_300 {
      #expect(symbolizer.module(at: address)?.id == definitions.module(at: address)?.id)
    }
  }

  @Test("no module, no answer")
  func none() {
    #expect(Symbolizer(TraceDefinitions(), looksUp: false).module(at: 0) == nil)
  }
}
