// Symptom: When I close the panel of a tank, its probe's light goes from blinking to shining:
// somebody asks it all the time. The computer gets warm, too, until I quit.
// Looks at: the readings of the probe ("tank")

import Foundation

/// The probe at the bottom of a tank.
actor Probe {
  private(set) var readings = 0
  private var level = 80.0

  func read() -> Double {
    readings += 1
    level -= 0.01
    return level
  }
}

@MainActor
final class TankPanel {
  private let probe: Probe
  private var shown = 0.0
  private var watching: Task<Void, Never>?

  init(probe: Probe) { self.probe = probe }

  func open() {
    watching = Task(name: "tank") {
      while true {
        show(await probe.read())
        try? await Task.sleep(for: .milliseconds(50))  // culprit
      }
    }
  }

  func close() {
    watching?.cancel()
    watching = nil
  }

  private func show(_ level: Double) {
    shown = level
  }
}

let probe = Probe()
let panel = TankPanel(probe: probe)

func readings(in duration: Duration) async throws -> Int {
  let before = await probe.readings
  try await Task.sleep(for: duration)
  return await probe.readings - before
}

panel.open()
print("open: \(try await readings(in: .milliseconds(400))) readings")
panel.close()
print("closed: \(try await readings(in: .milliseconds(400))) readings")
