// Symptom: I scan crates into the van, the scanner beeps, and in the list they stay on the
// pavement. When a new crate is added, all are suddenly right.
// Looks at: the list on the screen ("list")

import Foundation
import Varve

struct Crate {
  let id: Int
  let room: String
  var isLoaded = false
}

final class MoveStore {
  let crates = MutableProperty<[Crate]>([], named: "crates")

  func add(room: String) {
    crates.modify { $0.append(Crate(id: $0.count + 1, room: room)) }
  }

  func scan(_ id: Int) {
    crates.modify { crates in
      guard let index = crates.firstIndex(where: { $0.id == id }) else { return }
      crates[index].isLoaded = true
    }
  }
}

final class CrateList {
  private(set) var rows: [String] = []
  private let (lifetime, token) = Lifetime.make()

  init(_ store: MoveStore) {
    lifetime += store.crates.producer
      .skipRepeats { $0.map(\.id) == $1.map(\.id) }  // culprit
      .map { $0.map { "\($0.id) \($0.room): \($0.isLoaded ? "in the van" : "on the pavement")" } }
      .named("list")
      .observe(on: QueueScheduler.main)
      .startWithValues { [weak self] in self?.rows = $0 }
  }
}

let store = MoveStore()
let list = CrateList(store)
for room in ["kitchen", "study", "cellar"] { store.add(room: room) }
RunLoop.main.run(until: Date().addingTimeInterval(0.05))

for id in [1, 3, 2] {
  store.scan(id)
  RunLoop.main.run(until: Date().addingTimeInterval(0.05))
}
print(list.rows.joined(separator: "\n"))
