import SearchDemo
import Testing

@Suite("Typist")
struct TypistTests {
  @Test("the same seed types the same keys at the same pace", arguments: [1, 2, 99] as [UInt64])
  func sameSeed(seed: UInt64) {
    let script = Typist.script(seed: seed, words: ["signal", "observer"])
    #expect(script == Typist.script(seed: seed, words: ["signal", "observer"]))
    #expect(script != Typist.script(seed: seed + 1, words: ["signal", "observer"]))
  }

  @Test("slips and all, the words are on the line in the end")
  func words() {
    for seed in 1...50 as ClosedRange<UInt64> {
      var text = ""
      var typed: [String] = []
      for stroke in Typist.script(seed: seed, words: ["signal", "observer", "lifetime"]) {
        if stroke.key == .clear { typed.append(text) }
        text = stroke.key.typed(into: text)
      }
      #expect(typed + [text] == ["signal", "observer", "lifetime"])
    }
  }

  @Test("some typists slip, and take it back")
  func slips() {
    let scripts = (1...20).map { Typist.script(seed: $0, words: ["signal"]) }
    let slipped = scripts.filter { $0.contains { $0.key == .backspace } }
    #expect(!slipped.isEmpty && slipped.count < scripts.count)
  }
}
