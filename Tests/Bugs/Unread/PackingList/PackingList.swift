// Symptom: I tick one sock, and the phone gets warm: the list is sent to the cloud without end.
// Looks at: the list ("list")

import Foundation
import Varve

struct PackingList {
  var items: [String: Bool]
  var revision = 0
}

final class Cloud {
  let changes: Signal<PackingList, Never>
  private let input: Signal<PackingList, Never>.Observer
  private let network = QueueScheduler(name: "network")
  private(set) var uploads = 0

  init() { (changes, input) = Signal.pipe(named: "changes") }

  /// All devices of the family hear of it, this one too.
  func upload(_ list: PackingList) {
    uploads += 1
    network.schedule(after: .milliseconds(2)) { [input] in
      var stored = list
      stored.revision += 1
      input.send(value: stored)
    }
  }
}

final class PackingModel {
  let list = MutableProperty(PackingList(items: ["sock": false, "tent": false]), named: "list")
  private let cloud: Cloud

  init(cloud: Cloud) {
    self.cloud = cloud
    list.signal
      .observe(on: QueueScheduler.main)
      .observeValues { cloud.upload($0) }
    list <~ cloud.changes  // culprit
  }

  func tick(_ item: String) { list.modify { $0.items[item] = true } }

  var open: Int { list.value.items.values.filter { !$0 }.count }
}

let cloud = Cloud()
let model = PackingModel(cloud: cloud)
model.tick("sock")
RunLoop.main.run(until: Date().addingTimeInterval(0.6))
print("\(model.open) to pack, \(cloud.uploads) uploads for one tick")
