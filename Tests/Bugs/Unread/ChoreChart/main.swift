// Symptom: I tick three chores one right after the other. All three are ticked on my screen, but on
// the other phones of the family only the last one ever is.
// Looks at: the chores that the server has stored ("stored")

import Foundation
import Varve

enum Chore: String, CaseIterable {
  case dishes, laundry, plants, rubbish, dog
}

protocol ChoreService: AnyObject, Sendable {
  func markDone(_ chore: Chore) -> SignalProducer<Chore, Never>
}

final class FamilyServer: ChoreService {
  private let uplink = QueueScheduler(name: "uplink")

  func markDone(_ chore: Chore) -> SignalProducer<Chore, Never> {
    SignalProducer(value: chore).delay(.milliseconds(100), on: uplink)
  }
}

final class ChoreListModel {
  let ticked = MutableProperty<[Chore]>([])
  let stored: Signal<Chore, Never>
  private let taps: Signal<Chore, Never>.Observer

  init(service: any ChoreService) {
    let (chores, taps) = Signal<Chore, Never>.pipe()
    self.taps = taps
    ticked <~ chores.scan([]) { $0 + [$1] }
    stored =
      chores
      .flatMap(.latest) { service.markDone($0) }  // culprit
      .named("stored")
  }

  func tap(_ chore: Chore) {
    taps.send(value: chore)
  }
}

let model = ChoreListModel(service: FamilyServer())
let onTheFridge = MutableProperty<Set<Chore>>([])
onTheFridge <~ model.stored.scan([]) { $0.union([$1]) }

for chore in [Chore.dishes, .laundry, .plants] {
  model.tap(chore)
  Thread.sleep(forTimeInterval: 0.015)
}
Thread.sleep(forTimeInterval: 0.25)
model.tap(.rubbish)
Thread.sleep(forTimeInterval: 0.2)

print("ticked:", model.ticked.value.map(\.rawValue).joined(separator: ", "))
for chore in Chore.allCases {
  print(onTheFridge.value.contains(chore) ? "[x]" : "[ ]", chore.rawValue)
}
