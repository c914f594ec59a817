// Symptom: None; this works.
// Looks at: the readings ("pool gauge")

import Foundation

enum GaugeError: Error {
  case noAnswer
}

/// Answers only every third question.
actor PoolGauge {
  private var questions = 0

  func level() async throws -> Int {
    try await Task.sleep(for: .milliseconds(3))
    questions += 1
    guard questions % 3 == 0 else { throw GaugeError.noAnswer }
    return 120 + questions
  }
}

struct PatientReader: Sendable {
  let gauge: PoolGauge

  func level() async throws -> Int {
    var pause = Duration.milliseconds(10)
    for _ in 1..<5 {
      do {
        return try await gauge.level()
      } catch is GaugeError {
        try await Task.sleep(for: pause)
        pause *= 2
      }
    }
    return try await gauge.level()
  }
}

let reader = PatientReader(gauge: PoolGauge())
let readings = Task(name: "pool gauge") {
  while !Task.isCancelled {
    print("\(try await reader.level()) cm")
    try await Task.sleep(for: .milliseconds(40))
  }
}
try await Task.sleep(for: .milliseconds(350))
readings.cancel()
switch await readings.result {
case .success: print("stopped between two readings")
case .failure(is CancellationError): print("stopped")
case .failure(let error): print("gauge out of order: \(error)")
}
