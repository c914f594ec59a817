// Symptom: The weight of the day's harvest is too low. With one tractor alone it is right.
// Looks at: the tractors ("tractor")

import Foundation

struct Trailer: Sendable {
  let field: String
  let kilograms: Int
}

struct Weighbridge: Sendable {
  func weigh(_ trailer: Trailer) async -> Int {
    try? await Task.sleep(for: .milliseconds(15))
    return trailer.kilograms - 400
  }
}

actor HarvestBook {
  private(set) var kilograms = 0
  private(set) var trailers = 0
  private let bridge = Weighbridge()

  func enter(_ trailer: Trailer) async {
    trailers += 1
    kilograms = kilograms + (await bridge.weigh(trailer))  // culprit
    print("\(trailer.field): \(kilograms) kg so far")
  }
}

let book = HarvestBook()
let loads = [
  [Trailer(field: "Long Acre", kilograms: 2_900), Trailer(field: "Mill Field", kilograms: 3_100)],
  [Trailer(field: "Hill", kilograms: 2_400), Trailer(field: "Brook Meadow", kilograms: 2_750)],
  [Trailer(field: "Church Field", kilograms: 3_300)],
]
let tractors = loads.map { trailers in
  Task(name: "tractor") {
    for trailer in trailers { await book.enter(trailer) }
  }
}
for tractor in tractors { await tractor.value }
let expected = loads.joined().reduce(0) { $0 + $1.kilograms - 400 }
print("\(await book.trailers) trailers, \(await book.kilograms) kg of \(expected)")
