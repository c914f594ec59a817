// Symptom: While a sewing pattern is sent to the plotter, the app takes taps with a long delay.
// Looks at: the taps ("tap")

import Foundation

/// The driver of the plotter, a library of the maker.
struct PlotterDriver: Sendable {
  /// Sends a sheet, and comes back when the plotter has taken it.
  func send(_ sheet: Int) -> Bool {
    Thread.sleep(forTimeInterval: 0.09)
    return sheet > 0
  }
}

@MainActor
final class PatternScreen {
  private(set) var sent = 0
  private(set) var zoom = 100
  private let driver = PlotterDriver()

  func plot(sheets: Int) async {
    for sheet in 1...sheets {
      if driver.send(sheet) { sent += 1 }  // culprit
      await Task.yield()
    }
    print("\(sent) sheets sent")
  }

  func tapped() {
    zoom += 25
  }
}

@MainActor func run() async {
  let screen = PatternScreen()
  let plot = Task(name: "plot") { await screen.plot(sheets: 6) }
  let finger = Task.detached(name: "finger") {
    for _ in 1...5 {
      try? await Task.sleep(for: .milliseconds(30))
      let began = ContinuousClock.now
      await Task(name: "tap") { await screen.tapped() }.value
      print("tap after \((ContinuousClock.now - began) / .milliseconds(1)) ms")
    }
  }
  await plot.value
  await finger.value
  print("zoom \(screen.zoom) %")
}
await run()
