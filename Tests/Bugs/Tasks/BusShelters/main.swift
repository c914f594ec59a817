// Symptom: The screen of my fourteen shelters needs more than a second to fill, though the server
// answers each question in less than a tenth, and takes any number of them at a time.
// Looks at: the screen ("shelters")

import Foundation

struct Shelter: Sendable {
  let name: String
  let departures: [Int]
  let notices: [String]
}

struct Timetable: Sendable {
  func departures(at stop: String) async -> [Int] {
    try? await Task.sleep(for: .milliseconds(80))
    return (0..<4).map { stop.count + $0 * 11 }
  }

  func notices(at stop: String) async -> [String] {
    try? await Task.sleep(for: .milliseconds(50))
    return stop.hasSuffix("7") ? ["Moved to the other side of the road"] : []
  }
}

struct ShelterScreen: Sendable {
  let timetable = Timetable()

  /// All questions are asked side by side.
  func load(_ stops: [String]) async -> [Shelter] {
    var shelters: [Shelter] = []
    for stop in stops {
      async let departures = timetable.departures(at: stop)
      async let notices = timetable.notices(at: stop)
      let (times, news) = await (departures, notices)  // culprit
      shelters.append(Shelter(name: stop, departures: times, notices: news))
    }
    return shelters
  }
}

let screen = ShelterScreen()
let stops = (1...14).map { "Harbour Road \($0)" }
let clock = ContinuousClock()
let start = clock.now
let loading = Task(name: "shelters") { await screen.load(stops) }
let shelters = await loading.value
let time = clock.now - start
for shelter in shelters.prefix(3) { print("\(shelter.name): \(shelter.departures)") }
print("\(shelters.count) shelters after \(time.formatted(.units(allowed: [.milliseconds])))")
