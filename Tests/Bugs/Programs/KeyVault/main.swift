// Symptom: The app freezes when I open the vault. It has to be killed.
// Looks at: the key that is read from the vault ("key")

import Foundation
import Varve

struct Key {
  var name: String
  var bytes: [UInt8]
}

final class Vault {
  let queue = QueueScheduler(name: "vault")

  func key(named name: String) -> SignalProducer<Key, Never> {
    SignalProducer { [queue] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(5)) {
        observer.send(value: Key(name: name, bytes: Array(name.utf8)))
        observer.sendCompleted()
      }
    }
  }
}

final class VaultModel {
  private let vault = Vault()
  let notes = MutableProperty<[String]>([])

  func open() {
    vault.queue.schedule { [self] in
      let encrypted = readFile()
      let answer = vault.key(named: "notes").named("key").waitForFirst()  // culprit
      guard case .success(let key)? = answer else { return }
      notes.value = encrypted.map { decrypt($0, with: key) }
    }
  }

  private func readFile() -> [[UInt8]] { [[1, 2, 3], [4, 5]] }

  private func decrypt(_ bytes: [UInt8], with key: Key) -> String {
    zip(bytes, key.bytes).map { String($0 ^ $1) }.joined()
  }
}

let model = VaultModel()
let opened = DispatchSemaphore(value: 0)
model.notes.signal.observeValues { notes in
  print("\(notes.count) notes")
  opened.signal()
}
model.open()
opened.wait()
