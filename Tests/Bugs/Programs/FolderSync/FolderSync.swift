// Symptom: I saved four files in a row. After the sync, three of them are on the other computer only
// as empty files.
// Looks at: remote (the files on the other computer)
import Foundation
import Varve

enum Transfer {
  case created(String)
  case wrote(String, bytes: Int)
}

final class Peer {
  let remote = MutableProperty<[String: Int]>([:])
  private let link = QueueScheduler(name: "link")

  func push(_ file: String, bytes: Int) -> SignalProducer<Transfer, Never> {
    let steps: [Transfer] = [
      .created(file), .wrote(file, bytes: bytes / 2), .wrote(file, bytes: bytes),
    ]
    return SignalProducer(value: steps[0])
      .concat(.interval(steps.dropFirst(), interval: .milliseconds(60), on: link))
  }

  func apply(_ transfer: Transfer) {
    switch transfer {
    case .created(let file): remote.modify { $0[file] = 0 }
    case .wrote(let file, let bytes): remote.modify { $0[file] = bytes }
    }
  }
}

final class FolderSync {
  private let (changes, change) = Signal<(String, Int), Never>.pipe()

  init(_ peer: Peer, on watcher: any Scheduler) {
    changes
      .observe(on: watcher)
      .filter { !$0.0.hasPrefix(".") }
      .flatMap(.latest) { peer.push($0.0, bytes: $0.1) }  // culprit
      .observeValues { peer.apply($0) }
  }

  func saved(_ file: String, bytes: Int) {
    change.send(value: (file, bytes))
  }
}

let peer = Peer()
let sync = FolderSync(peer, on: QueueScheduler(name: "watcher"))
peer.remote.signal.named("remote").observeValues { print($0.sorted { $0.key < $1.key }) }

let files = [
  ("plan.txt", 900), (".DS_Store", 6), ("map.png", 8_000), ("a.csv", 120), ("b.csv", 140),
]
for (file, bytes) in files {
  sync.saved(file, bytes: bytes)
  Thread.sleep(forTimeInterval: 0.01)
}
Thread.sleep(forTimeInterval: 0.4)
print("empty: \(peer.remote.value.filter { $0.value == 0 }.keys.sorted())")
