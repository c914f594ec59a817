// Symptom: The panel at the door of the co-working space shows who comes and goes. The line with the
// free desks says "40" all day long.
// Looks at: what keeps the panel up to date ("panel")

import Foundation

enum DoorEvent: Sendable {
  case came(String)
  case left(String)
}

/// Sends to one listener.
struct Feed<Element: Sendable>: Sendable {
  let values: AsyncStream<Element>
  private let input: AsyncStream<Element>.Continuation

  init() { (values, input) = AsyncStream.makeStream() }

  func post(_ element: Element) { input.yield(element) }
}

final class Building: Sendable {
  let door = Feed<DoorEvent>()
  let freeDesks = Feed<Int>()

  func come(_ name: String, desks: Int) {
    door.post(.came(name))
    freeDesks.post(desks)
  }

  func leave(_ name: String, desks: Int) {
    door.post(.left(name))
    freeDesks.post(desks)
  }
}

@MainActor
final class DoorPanel {
  private(set) var headline = "nobody yet"
  private(set) var desks = 40
  private let building: Building
  private var updates: Task<Void, Never>?

  init(building: Building) { self.building = building }

  func start() {
    updates = Task(name: "panel") { [weak self, building] in
      for await event in building.door.values {  // culprit
        switch event {
        case .came(let name): self?.headline = "\(name) is here"
        case .left(let name): self?.headline = "\(name) has left"
        }
      }
      for await count in building.freeDesks.values {
        self?.desks = count
      }
    }
  }

  func stop() { updates?.cancel() }

  var text: String { "\(headline); free desks: \(desks)" }
}

let building = Building()
let panel = DoorPanel(building: building)
panel.start()
for (index, name) in ["Ada", "Kofi", "Mei", "Tomás"].enumerated() {
  building.come(name, desks: 39 - index)
  try await Task.sleep(for: .milliseconds(40))
  print(panel.text)
}
building.leave("Kofi", desks: 37)
try await Task.sleep(for: .milliseconds(40))
print(panel.text)
panel.stop()
