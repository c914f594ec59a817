// Symptom: While the app looks for the ski gate, the clock on its screen stands still and my taps come
// seconds late. Where the gate answers at once, all is smooth.
// Looks at: the clock on the screen ("clock")

import Foundation

struct GateAnswer: Sendable {
  let gate: Int
  let rides: Int
}

/// The Bluetooth library: answers `nil` while the gate is not in reach.
final class GateRadio: Sendable {
  let repliesAfter: Int

  init(repliesAfter: Int) { self.repliesAfter = repliesAfter }

  func ping(_ attempt: Int) -> GateAnswer? {
    attempt < repliesAfter ? nil : GateAnswer(gate: 4, rides: 11)
  }
}

@MainActor
final class GateScreen: ObservableScreen {
  private(set) var message = ""

  func connect(to radio: GateRadio) async {
    message = "looking for the gate …"
    for attempt in 1...20 {
      if let answer = radio.ping(attempt) {
        message = "gate \(answer.gate): \(answer.rides) rides left"
        return
      }
      usleep(60_000)  // culprit
    }
    message = "no gate here"
  }
}

@MainActor
protocol ObservableScreen: AnyObject {
  var message: String { get }
}

@MainActor
final class ScreenClock {
  private(set) var ticks = 0
  private var slowest = Duration.zero

  func run() async {
    let clock = ContinuousClock()
    while !Task.isCancelled {
      let begin = clock.now
      try? await Task.sleep(for: .milliseconds(10))
      ticks += 1
      slowest = max(slowest, clock.now - begin)
    }
  }

  func report(_ screen: any ObservableScreen) {
    let stop = slowest.formatted(.units(allowed: [.milliseconds]))
    print("\(screen.message); \(ticks) ticks, longest stop \(stop)")
    ticks = 0
    slowest = .zero
  }
}

let clock = ScreenClock()
let ticking = Task(name: "clock") { await clock.run() }
let screen = GateScreen()
for delay in [1, 12, 17] {
  try await Task.sleep(for: .milliseconds(60))
  let connecting = Task(name: "connect") {
    await screen.connect(to: GateRadio(repliesAfter: delay))
  }
  await connecting.value
  try await Task.sleep(for: .milliseconds(30))
  clock.report(screen)
}
ticking.cancel()
