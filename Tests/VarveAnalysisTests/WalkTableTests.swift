import Testing

@testable import VarveAnalysis

/// The table in which analyses remember what they meet.
@Suite("Walk tables")
struct WalkTableTests {
  /// A key whose words collide in part, or all of them.
  private struct Key: WalkKey, Hashable {
    var number: UInt64
    var kinds: UInt64
    var word: UInt64 { number % kinds }
    var otherWord: UInt64 { number % 2 }
  }

  @Test("does what a dictionary does, also where keys collide", arguments: [UInt64.max, 61, 1])
  func model(kinds: UInt64) {
    var table = WalkTable<Key, Int>(TraceWalk(bytes: 0), bytes: 32, of: .work)
    var model: [Key: Int] = [:]
    var random = SystemRandomNumberGenerator()
    for step in 0..<20_000 {
      // Few keys, so that they come and go; large ones, so that all bits of a word count.
      let number = UInt64.random(in: 0..<300, using: &random) &* 0x1000_0000_0000_01b3
      let key = Key(number: number, kinds: kinds)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let isSet = table.set(step, for: key)
        #expect(isSet)
        model[key] = step
      case 1:
        table.change(key) { $0 += 1 }
        model[key]? += 1
      case 2:
        let isChanged = table.change(key, orFirst: 7) { $0 += 1 }
        #expect(isChanged)
        model[key, default: 7] += 1
      default:
        let (removed, expected) = (table.removeValue(forKey: key), model.removeValue(forKey: key))
        #expect(removed == expected)
      }
      #expect(table[key] == model[key])
    }
    #expect(Dictionary(table.entries.map { ($0.key, $0.value) }) { _, _ in 0 } == model)
    #expect(Set(table.keys) == Set(model.keys) && table.values.sorted() == model.values.sorted())
  }

  @Test("grows to many keys, and loses none of them")
  func large() {
    var table = WalkTable<UInt64, UInt64>(TraceWalk(bytes: 0), bytes: 32, of: .work)
    // Multiples of a large power of two: their low bits are all alike.
    for number in 0..<100_000 as Range<UInt64> { table.set(number, for: number << 40) }
    #expect((0..<100_000 as Range<UInt64>).allSatisfy { table[$0 << 40] == $0 })
    #expect(table.keys.count == 100_000)
    for number in 0..<100_000 as Range<UInt64> where number % 3 != 0 {
      table.removeValue(forKey: number << 40)
    }
    #expect(
      (0..<100_000 as Range<UInt64>).allSatisfy { table[$0 << 40] == ($0 % 3 == 0 ? $0 : nil) })
  }

  @Test("refuses what there is no memory for, and counts it; room of removed values is used again")
  func memory() {
    let walk = TraceWalk(bytes: 0)
    var table = WalkTable<UInt64, Int>(walk, bytes: 1 << 20, of: .observations)
    var kept: UInt64 = 0
    while table.set(1, for: kept) { kept += 1 }
    #expect(kept == 32 && walk.passedOver.observations == 1)
    table.removeValue(forKey: 3)
    let (isSet, isSetToo) = (table.set(2, for: 500), table.set(2, for: 501))
    #expect(isSet && !isSetToo)
  }
}
