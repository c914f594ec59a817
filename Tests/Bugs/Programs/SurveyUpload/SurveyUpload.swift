// Symptom: People at the fair answered our survey ninety-five times before we closed the booth.
// The results at the office end with answer ninety.
// Looks at: results (the answers at the office)
import Foundation
import Varve

struct Answer {
  let number: Int
  let stars: Int
}

final class Booth {
  let answers: Signal<Answer, Never>
  private let input: Signal<Answer, Never>.Observer
  private var count = 0

  init() { (answers, input) = Signal.pipe() }

  func submit(stars: Int) {
    count += 1
    input.send(value: Answer(number: count, stars: stars))
  }

  func close() { input.sendInterrupted() }  // culprit
}

final class Office {
  let results = MutableProperty<[Answer]>([])
  private let line = QueueScheduler(name: "line")

  init(_ booth: Booth) {
    results
      <~ booth.answers
      .collect(count: 10)
      .observe(on: line)
      .scan(into: [Answer]()) { $0 += $1 }
  }
}

let booth = Booth()
let office = Office(booth)
office.results.signal.map(\.count).named("results").observeValues { print("\($0) answers") }
for guest in 1...95 {
  booth.submit(stars: guest % 5 + 1)
  Thread.sleep(forTimeInterval: 0.002)
}
booth.close()
Thread.sleep(forTimeInterval: 0.1)
print("95 given, \(office.results.value.count) at the office")
