// Symptom: none. The forecast of the chosen town is fetched by a task, whose answer another task sends.
// Looks at: the forecast ("forecast")

import Foundation
import Varve

actor Weather {
  private var waiting: [String: CheckedContinuation<String, Never>] = [:]

  func forecast(for town: String) async -> String {
    await withCheckedContinuation { waiting[town] = $0 }
  }

  func answer(_ town: String, _ text: String) {
    waiting.removeValue(forKey: town)?.resume(returning: text)
  }
}

let weather = Weather()
let town = MutableProperty("", named: "town")
let (forecasts, input) = Signal<String, Never>.pipe(named: "forecast")
forecasts.observeValues { print($0) }

let asking = Task(name: "asking") {
  let towns = town.producer.filter { !$0.isEmpty }.take(first: 2)
  for await name in towns.values(buffering: .unbounded) {
    let text = await weather.forecast(for: name)
    input.send(value: "\(name): \(text)")
  }
}
for (name, text) in [("Bern", "sun"), ("Oslo", "snow")] {
  town.value = name
  try await Task.sleep(for: .milliseconds(20))
  let answering = Task(name: "answering \(name)") { await weather.answer(name, text) }
  await answering.value
  try await Task.sleep(for: .milliseconds(20))
}
await asking.value
