// Symptom: I tap on share, the sheet closes, and the recipe never arrives at my friend's. The app
// says nothing.
// Looks at: the action that shares ("share")

import Foundation
import Varve

enum ShareError: Error {
  case unknownContact(String)
  case tooManyPhotos
}

struct Recipe {
  var title: String
  var photos: Int
}

final class ShareService {
  private let queue = QueueScheduler(name: "share")
  private let contacts: Set<String> = ["Mara", "Jo"]

  func send(_ recipe: Recipe, to contact: String) -> SignalProducer<String, ShareError> {
    SignalProducer<Recipe, ShareError>(value: recipe)
      .delay(.milliseconds(15), on: queue)
      .attempt { [contacts] recipe in
        guard contacts.contains(contact) else { return .failure(.unknownContact(contact)) }
        return recipe.photos > 20 ? .failure(.tooManyPhotos) : .success(())
      }
      .map { "\($0.title) went to \(contact)" }
  }
}

final class ShareSheet {
  let share: Action<(Recipe, String), String, ShareError>
  let messages = MutableProperty<[String]>([])
  let isOpen = MutableProperty(true)

  init(service: ShareService) {
    share = Action(named: "share") { service.send($0.0, to: $0.1) }
    messages <~ share.values.scan([String]()) { $0 + [$1] }
    isOpen <~ share.isExecuting.signal.negate()
  }

  func tapShare(_ recipe: Recipe, with contact: String) {
    share.apply((recipe, contact)).start()  // culprit
  }
}

let sheet = ShareSheet(service: ShareService())
let cake = Recipe(title: "Cake", photos: 3)
sheet.tapShare(cake, with: "Mara")
Thread.sleep(forTimeInterval: 0.1)
sheet.tapShare(Recipe(title: "Stew", photos: 31), with: "Jo")
Thread.sleep(forTimeInterval: 0.1)
print(sheet.messages.value)
