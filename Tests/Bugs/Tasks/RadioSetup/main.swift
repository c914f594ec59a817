// Symptom: While the radio looks for stations for the first time, the tablet gets hot, and the
// battery loses a percent. The search itself is done by the receiver, not by the tablet.
// Looks at: the assistant of the first start ("setup")

import Foundation

/// The receiver: it walks through the band by itself.
actor Receiver {
  private(set) var stations: [Double] = []
  private(set) var isSearching = false

  func beginSearch() {
    isSearching = true
    Task { await search() }
  }

  private func search() async {
    for megahertz in stride(from: 88.0, through: 108, by: 2.5) {
      try? await Task.sleep(for: .milliseconds(25))
      if Int(megahertz * 10).isMultiple(of: 3) { stations.append(megahertz) }
    }
    isSearching = false
  }
}

@MainActor
final class SetupAssistant {
  private let receiver: Receiver
  private(set) var page = "welcome"

  init(receiver: Receiver) { self.receiver = receiver }

  func run() async {
    page = "searching"
    await receiver.beginSearch()
    while await receiver.isSearching {
      await Task.yield()  // culprit
    }
    let stations = await receiver.stations
    page = stations.isEmpty ? "no stations" : "\(stations.count) stations"
  }
}

func processorMilliseconds() -> Int { Int(clock()) * 1_000 / Int(CLOCKS_PER_SEC) }

let assistant = SetupAssistant(receiver: Receiver())
let before = processorMilliseconds()
let setup = Task(name: "setup") { await assistant.run() }
await setup.value
print("\(assistant.page); the processor worked for \(processorMilliseconds() - before) ms")
