// Symptom: I correct the name of a band member, and the list has the new name. The open card still
// shows the old one; when I pick someone else and come back, it is right.
// Looks at: the member on the card ("card")

import Foundation
import Varve

struct Member: Equatable, Sendable {
  let id: Int
  var name: String
  var instrument: String
}

final class BandStore {
  let members = MutableProperty([
    Member(id: 1, name: "Ines", instrument: "drums"),
    Member(id: 2, name: "Jonh", instrument: "bass"),
    Member(id: 3, name: "Mo", instrument: "trumpet"),
  ])

  func rename(_ id: Int, to name: String) {
    members.modify { members in
      guard let index = members.firstIndex(where: { $0.id == id }) else { return }
      members[index].name = name
    }
  }
}

final class BandViewModel {
  let selection = MutableProperty(1)
  let rows: Property<[String]>
  let card: Property<String>

  init(store: BandStore) {
    rows = store.members.map { $0.map(\.name) }
    let selected = SignalProducer.combineLatest(store.members.producer, selection.producer)
      .compactMap { members, id in members.first { $0.id == id } }
      .skipRepeats { $0.id == $1.id }  // culprit
      .map { "\($0.name) (\($0.instrument))" }
      .named("card")
    card = Property(initial: "", then: selected)
  }
}

let store = BandStore()
let band = BandViewModel(store: store)
band.card.producer.filter { !$0.isEmpty }.startWithValues { print("card: \($0)") }
Thread.sleep(forTimeInterval: 0.05)
band.selection.value = 2
Thread.sleep(forTimeInterval: 0.05)
store.rename(2, to: "John")
Thread.sleep(forTimeInterval: 0.05)
print("list: \(band.rows.value.joined(separator: ", "))")
print("card: \(band.card.value)")
