import Testing
import VarveProbe

@Suite("Places")
struct PlaceTests {
  @Test("a place is shown without its module, in the form that editors open")
  func description() {
    #expect(Place(file: "Shop/Basket.swift", line: 12).description == "Basket.swift:12")
    #expect(Place(file: "Basket.swift", line: 1).description == "Basket.swift:1")
  }
}
