// Symptom: I look for beans in the catalogue and it goes on showing carrots. It says neither that there
// are no beans nor that something went wrong; yesterday there were twelve kinds.
// Looks at: the seeds in the list ("seeds")
import Foundation
import Varve

enum ServerError: Error {
  case status(Int)
  case unreadable
}

struct Seed {
  let name: String
  let grams: Int
}

final class Nursery {
  private let network = QueueScheduler(name: "nursery")

  func page(_ word: String) -> SignalProducer<String, ServerError> {
    SignalProducer { [network] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(15)) {
        observer.send(value: word == "bean" ? "Borlotti 40;Bagnol n/a" : "Nantes 5;Sytan 4")
        observer.sendCompleted()
      }
    }
  }
}

func parse(_ page: String) -> Result<[Seed], ServerError> {
  var seeds: [Seed] = []
  for entry in page.split(separator: ";") {
    guard let cut = entry.lastIndex(of: " "), let grams = Int(entry[cut...].dropFirst()) else {
      return .failure(.unreadable)
    }
    seeds.append(Seed(name: String(entry[..<cut]), grams: grams))
  }
  return .success(seeds)
}

final class CatalogModel {
  let word = MutableProperty("")
  let seeds: Property<[Seed]>

  init(_ nursery: Nursery) {
    seeds = Property(
      initial: [],
      then: word.producer
        .filter { !$0.isEmpty }
        .flatMap(.latest) { word in
          nursery.page(word)
            .attemptMap { parse($0) }
            .flatMapError { _ in .empty }  // culprit
        }
        .named("seeds"))
  }
}

let catalog = CatalogModel(Nursery())
catalog.seeds.signal.observeValues { print("list: \($0.map(\.name))") }
catalog.word.value = "carrot"
Thread.sleep(forTimeInterval: 0.1)
catalog.word.value = "bean"
Thread.sleep(forTimeInterval: 0.1)
print("\(catalog.seeds.value.count) kinds for \(catalog.word.value)")
