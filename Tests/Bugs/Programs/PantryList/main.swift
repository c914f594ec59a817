// Symptom: The stickers on new jars mostly have the weight of the shelf before that jar.
// Looks at: weight (the weight of the shelf)
import Foundation
import Varve

struct Jar {
  let content: String
  let grams: Int
}

final class Shelf {
  let jars = MutableProperty<[Jar]>([])
  let weight = MutableProperty(0, named: "weight")
  private let scales = QueueScheduler(name: "scales")

  init() {
    weight
      <~ jars.signal
      .observe(on: scales)
      .map { jars in jars.reduce(0) { $0 + $1.grams } }
  }

  func put(_ jar: Jar) -> String {
    jars.modify { $0.append(jar) }
    return "\(jar.content), \(jar.grams) g, on the shelf \(weight.value) g"  // culprit
  }
}

final class Labeller {
  private let shelf: Shelf

  init(_ shelf: Shelf) { self.shelf = shelf }

  func label(_ jars: [Jar]) {
    for jar in jars {
      print(shelf.put(jar))
      Thread.sleep(forTimeInterval: 0.03)
    }
  }
}

let shelf = Shelf()
Labeller(shelf).label([
  Jar(content: "Plum jam", grams: 450), Jar(content: "Gherkins", grams: 720),
  Jar(content: "Quince jelly", grams: 210), Jar(content: "Honey", grams: 500),
  Jar(content: "Pesto", grams: 130),
])
print("the scales say \(shelf.weight.value) g")
