// Symptom: None. Each rehearsal shows the piece and the players who said that they come to it, and
// the tuning note sounds once, as soon as the oboe is there.
// Looks at: the plan of the rehearsals ("plan")

import Foundation
import Varve

enum Arrival: Equatable {
  case outside
  case seated(String)
}

final class Office {
  private let mail = QueueScheduler(name: "mail")
  private let phone = QueueScheduler(name: "phone")

  /// The pieces come at once, the answers one by one, in the same order.
  func pieces() -> SignalProducer<String, Never> {
    SignalProducer(["Ma mère l'oye", "Boléro", "La valse", "Pavane"])
      .delay(.milliseconds(10), on: mail)
  }

  func players() -> SignalProducer<Int, Never> {
    .interval([42, 61, 61, 38], interval: .milliseconds(40), on: phone)
  }
}

final class RehearsalBoard {
  let plan: Property<[String]>
  let title: Property<String>

  init(_ office: Office, language: MutableProperty<String>) {
    let rehearsals = SignalProducer.zip(office.pieces(), office.players())
      .map { piece, players in "\(piece) (\(players))" }
      .scan([]) { $0 + [$1] }
    plan = Property(initial: [], then: rehearsals)
    title = Property.combineLatest(plan, language).map { plan, language in
      "\(plan.count) \(language == "fr" ? "répétitions" : "rehearsals")"
    }
  }
}

final class Stage {
  let arrivals = MutableProperty(Arrival.outside)
  let note = MutableProperty("(silence)")

  init() {
    note
      <~ arrivals.producer
      .filter { $0 == .seated("oboe") }
      .take(first: 1)
      .withLatest(from: note.producer)
      .map { _, before in "A, after \(before)" }
  }
}

let language = MutableProperty("en")
let board = RehearsalBoard(Office(), language: language)
let stage = Stage()
board.plan.producer.named("plan").startWithValues { print($0.last ?? "no plan yet") }
let titles = board.title.producer.startWithValues { print("[\($0)]") }
stage.note.signal.observeValues { print($0) }

for player in ["cello", "harp", "oboe", "cello", "oboe", "horn"] {
  stage.arrivals.value = .seated(player)
  Thread.sleep(forTimeInterval: 0.035)
  if player == "harp" { language.value = "fr" }
}
titles.dispose()
language.value = "en"
print(board.title.value)
