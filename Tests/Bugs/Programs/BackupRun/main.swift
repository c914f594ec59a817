// Symptom: "Back up now" works for a few days, and then it is grey for ever. Restarting the app
// helps until the next evening without new photos.
// Looks at: the action that makes the backup ("backup")

import Foundation
import Varve

struct Photo {
  var name: String
}

final class Library {
  private(set) var new: [Photo] = []
  func take(_ count: Int) { new = (0..<count).map { Photo(name: "photo \($0)") } }
  func clear() { new = [] }
}

final class BackupService {
  private let queue = QueueScheduler(name: "backup")

  func store(_ photos: [Photo]) -> SignalProducer<String, Never> {
    SignalProducer { [queue] observer, lifetime in  // culprit
      for (index, photo) in photos.enumerated() {
        lifetime += queue.schedule(after: .milliseconds(5 * (index + 1))) {
          observer.send(value: photo.name)
          if index == photos.count - 1 { observer.sendCompleted() }
        }
      }
    }
  }
}

final class BackupModel {
  let backup: Action<Void, String, Never>
  let stored = MutableProperty(0)
  private let library: Library

  init(library: Library, service: BackupService) {
    self.library = library
    backup = Action(named: "backup") { service.store(library.new) }
    stored <~ backup.values.scan(0) { count, _ in count + 1 }
    backup.completed.observeValues { library.clear() }
  }

  func press() { backup.apply().start() }
}

let library = Library()
let model = BackupModel(library: library, service: BackupService())
for (evening, photos) in [6, 3, 9, 0, 12, 4].enumerated() {
  if photos > 0 { library.take(photos) }
  model.press()
  Thread.sleep(forTimeInterval: 0.15)
  print(
    "evening \(evening): \(model.stored.value) stored, enabled: \(model.backup.isEnabled.value)")
}
