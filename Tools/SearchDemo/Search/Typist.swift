/// Somebody at a keyboard: types words, slips, corrects, hesitates, reads the results.
public struct Typist {
  /// A key, and how long after the one before it is hit.
  public struct Stroke: Hashable, Sendable {
    /// The pause before the key.
    public let after: Duration
    /// The key.
    public let key: Key
  }

  private var random: SeededRandom
  private var strokes: [Stroke] = []

  /// What a typist with this seed does to look for `words`, one after the other.
  public static func script(seed: UInt64, words: [String]) -> [Stroke] {
    var typist = Typist(random: SeededRandom(seed: seed))
    for (position, word) in words.enumerated() {
      if position > 0 { typist.hit(.clear, after: 600...900) }
      typist.type(word)
    }
    return typist.strokes
  }

  private mutating func type(_ word: String) {
    let hesitation = word.count - Int.random(in: 1...2, using: &random)
    let slip = Int.random(in: 1...(2 * word.count), using: &random)
    for (position, letter) in word.enumerated() {
      if position == slip { slipAndCorrect() }
      hit(.character(letter), after: position == hesitation ? 210...290 : 70...140)
    }
  }

  /// A wrong letter, a moment of surprise, and its correction.
  private mutating func slipAndCorrect() {
    let wrong = "aeionrst".randomElement(using: &random) ?? "e"
    hit(.character(wrong), after: 50...90)
    hit(.backspace, after: 190...260)
  }

  private mutating func hit(_ key: Key, after milliseconds: ClosedRange<Int>) {
    let pause = Int.random(in: milliseconds, using: &random)
    strokes.append(Stroke(after: .milliseconds(pause), key: key))
  }
}
