// Symptom: Puzzles that I have closed stay in memory, all of them.
// Looks at: the letters that are typed ("letters")

import Foundation
import Varve

final class Puzzle {
  static var alive = 0

  let letters = MutableProperty<[Int: Character]>([:], named: "letters")
  private(set) var isSolved = false
  private let solution: [Int: Character]

  init(_ word: String) {
    solution = Dictionary(uniqueKeysWithValues: word.enumerated().map { ($0.offset, $0.element) })
    Puzzle.alive += 1
    letters.producer
      .filter { !$0.isEmpty }
      .map { self.solution == $0 }  // culprit
      .skipRepeats()
      .startWithValues { [weak self] in self?.isSolved = $0 }
  }

  deinit { Puzzle.alive -= 1 }

  func type(_ letter: Character, at cell: Int) { letters.modify { $0[cell] = letter } }
}

func play(_ word: String) {
  let puzzle = Puzzle(word)
  for (cell, letter) in word.enumerated() { puzzle.type(letter, at: cell) }
  print("\(word): \(puzzle.isSolved ? "solved" : "not solved")")
}

for word in ["alder", "birch", "cedar", "elm", "fir", "hazel"] { play(word) }
print("puzzles in memory: \(Puzzle.alive)")
