// Symptom: None; the cells of the table are used again and again, and each follows one match only.
// Looks at: the score of a match ("score")

import Foundation
import Varve

final class Match: Sendable {
  let teams: String
  let score: MutableProperty<String>

  init(_ teams: String) {
    self.teams = teams
    score = MutableProperty("0:0", named: "score")
  }
}

final class MatchCell: Sendable {
  let text = MutableProperty("")
  private let content = SerialDisposable()

  func show(_ match: Match) {
    let teams = match.teams
    content.inner = match.score.producer
      .skipRepeats()
      .startWithValues { [text] in text.value = "\(teams) \($0)" }
  }

  deinit { content.dispose() }
}

final class MatchTable: Sendable {
  let matches = (1...12).map { Match("Team \($0) – Team \($0 + 20)") }
  let cells = (0..<4).map { _ in MatchCell() }

  func scroll(to top: Int) {
    for row in top..<top + cells.count { cells[row % cells.count].show(matches[row]) }
  }
}

let table = MatchTable()
for round in 1...10 {
  for top in 0...8 { table.scroll(to: round % 2 == 0 ? 8 - top : top) }
  table.matches[round].score.value = "\(round):\(round / 2)"
  Thread.sleep(forTimeInterval: 0.01)
}
for top in [0, 4, 8] {
  table.scroll(to: top)
  print(table.cells.map(\.text.value).joined(separator: ", "))
}
