// Symptom: None; this works.
// Looks at: the readings ("gauge")

import Foundation

actor Pump {
  private(set) var requests = 0
  private var flow = 12.0

  func read() -> Double {
    requests += 1
    flow += requests.isMultiple(of: 2) ? 0.1 : -0.1
    return flow
  }
}

struct Gauge: Sendable {
  let pump: Pump

  /// What the pump says, for as long as somebody listens.
  func flows(every interval: Duration) -> AsyncStream<Double> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      Task(name: "gauge") {
        while true {
          if case .terminated = continuation.yield(await pump.read()) { return }
          try? await Task.sleep(for: interval)
        }
      }
    }
  }
}

@MainActor
final class PumpPage {
  private let gauge: Gauge
  private var showing: Task<Void, Never>?
  private(set) var label = "–"

  init(gauge: Gauge) { self.gauge = gauge }

  func open() {
    showing = Task(name: "page") {
      for await flow in gauge.flows(every: .milliseconds(20)) {
        label = flow.formatted(.number.precision(.fractionLength(1))) + " l/min"
      }
    }
  }

  func close() {
    showing?.cancel()
    showing = nil
  }
}

let pump = Pump()
let page = PumpPage(gauge: Gauge(pump: pump))
for visit in 1...4 {
  page.open()
  try await Task.sleep(for: .milliseconds(150))
  page.close()
  try await Task.sleep(for: .milliseconds(60))
  let before = await pump.requests
  try await Task.sleep(for: .milliseconds(150))
  let requests = await pump.requests - before
  print("visit \(visit): \(page.label), then \(requests) requests while the page is closed")
}
