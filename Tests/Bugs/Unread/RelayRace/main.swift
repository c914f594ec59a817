// Symptom: Four teams have come in when I open the page of results, and it lists only the last two of
// them.
// Looks at: the teams in the list ("finishers")
import Foundation
import Varve

struct Finish {
  let team: String
  let seconds: Double
}

final class FinishLine {
  private let (crossings, photocell) = Signal<Finish, Never>.pipe(named: "photocell")
  private let clock = QueueScheduler(name: "clock")
  let finishes: SignalProducer<Finish, Never>

  init() {
    finishes = crossings.producer.replayLazily(upTo: 2)  // culprit
    // The board above the track shows everybody who comes in.
    finishes.startWithValues { print("board: \($0.team) \($0.seconds)") }
  }

  func run() {
    let teams = ["Harriers", "Swifts", "Foxes", "Otters", "Badgers"]
    for (place, team) in teams.enumerated() {
      clock.schedule(after: .milliseconds(20 * (place + 1))) { [photocell] in
        photocell.send(value: Finish(team: team, seconds: 190.5 + Double(place) * 3))
      }
    }
  }
}

final class ResultsPage {
  let teams = MutableProperty<[String]>([])

  init(_ line: FinishLine) {
    line.finishes
      .map { "\($0.team) (\($0.seconds) s)" }
      .named("finishers")
      .startWithValues { [teams] team in teams.modify { $0.append(team) } }
  }
}

let line = FinishLine()
line.run()
Thread.sleep(forTimeInterval: 0.09)
let page = ResultsPage(line)
Thread.sleep(forTimeInterval: 0.1)
for (place, team) in page.teams.value.enumerated() { print("\(place + 1). \(team)") }
