// Symptom: From the third jumper on, each of them stands in the list with the points of another
// one.
// Looks at: ranking (the list of results)
import Foundation
import Varve

struct Jump: Sendable {
  let jumper: String
  let metres: Double
}

final class Hill: Sendable {
  let jumps: Signal<Jump, Never>
  let votes: Signal<[Double], Never>
  private let landing: Signal<Jump, Never>.Observer
  private let jury: Signal<[Double], Never>.Observer

  init() {
    (jumps, landing) = Signal.pipe()
    (votes, jury) = Signal.pipe()
  }

  func land(_ jumper: String, at metres: Double) {
    landing.send(value: Jump(jumper: jumper, metres: metres))
  }

  func vote(_ marks: Double...) { jury.send(value: marks) }
}

final class Results: Sendable {
  let ranking = MutableProperty<[String: Double]>([:])

  init(_ hill: Hill, constructionPoint: Double) {
    // The highest and the lowest mark do not count.
    let style = hill.votes
      .map { $0.sorted().dropFirst().dropLast().reduce(0, +) }
      .skipRepeats()  // culprit
    ranking
      <~ hill.jumps
      .map { ($0.jumper, 60 + ($0.metres - constructionPoint) * 1.8) }
      .zip(with: style)
      .map { jump, style in (jump.0, jump.1 + style) }
      .scan(into: [:]) { $0[$1.0] = $1.1 }
      .named("ranking")
  }
}

let hill = Hill()
let results = Results(hill, constructionPoint: 90)
results.ranking.signal.observeValues { print($0.sorted { $0.value > $1.value }) }
let marks = [18.0, 17.5, 17.5, 16.0, 19.0]
for (index, jumper) in ["Aho", "Berger", "Costa", "Dahl", "Endo"].enumerated() {
  hill.land(jumper, at: 88 + Double(index))
  Thread.sleep(forTimeInterval: 0.03)
  let mark = marks[index]
  hill.vote(mark, mark + 0.5, mark - 0.5, mark, mark)
  Thread.sleep(forTimeInterval: 0.03)
}
print("Costa has \(results.ranking.value["Costa"] ?? 0), it should be 112.5")
