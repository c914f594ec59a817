// Symptom: After the tablet was offline for a moment, no change to a recipe is saved any more.
// Looks at: saves (what is saved)

import Foundation
import Varve

struct Recipe: Sendable {
  let title: String
  var portions: Int
}

enum SaveError: Error {
  case offline
}

final class RecipeCloud: Sendable {
  let isOnline = MutableProperty(true, named: "online")
  private let network = QueueScheduler(name: "network")

  func save(_ recipe: Recipe) -> SignalProducer<String, SaveError> {
    SignalProducer<String, SaveError> { [isOnline] () -> Result<String, SaveError> in
      isOnline.value ? .success("\(recipe.title) for \(recipe.portions)") : .failure(.offline)
    }
    .start(on: network)
  }
}

final class RecipeEditor: Sendable {
  let recipe: MutableProperty<Recipe>
  let saved = MutableProperty("never", named: "saved")

  init(_ recipe: Recipe, cloud: RecipeCloud) {
    self.recipe = MutableProperty(recipe, named: "recipe")
    saved
      <~ self.recipe.signal
      .flatMap(.concat) { cloud.save($0) }
      .flatMapError { _ in SignalProducer<String, Never>(value: "failed") }  // culprit
      .named("saves")
  }

  func serve(_ portions: Int) {
    recipe.modify { $0.portions = portions }
    Thread.sleep(forTimeInterval: 0.03)
    print("\(recipe.value.title) for \(portions), saved: \(saved.value)")
  }
}

let cloud = RecipeCloud()
let editor = RecipeEditor(Recipe(title: "Borscht", portions: 2), cloud: cloud)
editor.serve(3)
cloud.isOnline.value = false
editor.serve(4)
cloud.isOnline.value = true
editor.serve(6)
editor.serve(8)
