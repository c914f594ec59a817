// Symptom: None. All answers are at the office when the booth is closed, in parcels of ten.
// Looks at: results (the answers at the office)
import Foundation
import Varve

final class Booth {
  let answers: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() { (answers, input) = Signal.pipe() }

  func submit(stars: Int) { input.send(value: stars) }
  func close() { input.sendCompleted() }
}

final class Office {
  let results = MutableProperty<[Int]>([])

  init(_ booth: Booth) {
    results
      <~ booth.answers
      .collect(count: 10)
      .observe(on: QueueScheduler(name: "line"))
      .scan(into: [Int]()) { $0 += $1 }
  }
}

let booth = Booth()
let office = Office(booth)
office.results.signal.map(\.count).named("results").observeValues { print("\($0) answers") }
for guest in 1...95 {
  booth.submit(stars: guest % 5 + 1)
  Thread.sleep(forTimeInterval: 0.003)
}
booth.close()
Thread.sleep(forTimeInterval: 0.1)
print("\(office.results.value.count) at the office")
