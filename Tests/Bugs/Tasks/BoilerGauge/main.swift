// Symptom: Each time the page of the boiler was open, the bus to the boiler has more traffic, also
// when no page is open at all.
// Looks at: the readings ("gauge")

import Foundation

actor Boiler {
  private(set) var requests = 0
  private var pressure = 1.6

  func read() -> Double {
    requests += 1
    pressure += requests.isMultiple(of: 2) ? 0.01 : -0.01
    return pressure
  }
}

struct Gauge: Sendable {
  let boiler: Boiler

  /// What the boiler says, for as long as somebody listens.
  func pressures(every interval: Duration) -> AsyncStream<Double> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      Task(name: "gauge") {  // culprit
        while !Task.isCancelled {
          continuation.yield(await boiler.read())
          try? await Task.sleep(for: interval)
        }
        continuation.finish()
      }
    }
  }
}

@MainActor
final class BoilerPage {
  private let gauge: Gauge
  private var showing: Task<Void, Never>?
  private(set) var label = "–"

  init(gauge: Gauge) { self.gauge = gauge }

  func open() {
    showing = Task(name: "page") {
      for await pressure in gauge.pressures(every: .milliseconds(20)) {
        label = pressure.formatted(.number.precision(.fractionLength(2))) + " bar"
      }
    }
  }

  func close() {
    showing?.cancel()
    showing = nil
  }
}

let boiler = Boiler()
let page = BoilerPage(gauge: Gauge(boiler: boiler))
for visit in 1...4 {
  page.open()
  try await Task.sleep(for: .milliseconds(150))
  page.close()
  let before = await boiler.requests
  try await Task.sleep(for: .milliseconds(200))
  let requests = await boiler.requests - before
  print("visit \(visit): \(page.label), then \(requests) requests while the page is closed")
}
