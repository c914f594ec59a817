// Symptom: If I tap "weigh" twice, the first spinner turns for ever. A single tap works.
// Looks at: the first tap ("weigh 1")

import Foundation

protocol ScaleDelegate: AnyObject {
  func scale(didMeasure grams: Int)
}

/// The driver of the manufacturer.
// Safety: the delegate is set once, before the first measurement.
final class ScaleDriver: @unchecked Sendable {
  weak var delegate: (any ScaleDelegate)?
  private let queue = DispatchQueue(label: "scale")

  func measure() {
    queue.asyncAfter(deadline: .now() + 0.05) {
      self.delegate?.scale(didMeasure: Int.random(in: 200...210))
    }
  }
}

@MainActor
final class Scale: ScaleDelegate {
  private let driver = ScaleDriver()
  private var weighing: CheckedContinuation<Int, Never>?

  init() { driver.delegate = self }

  func weigh() async -> Int {
    await withCheckedContinuation { continuation in
      weighing = continuation  // culprit
      driver.measure()
    }
  }

  nonisolated func scale(didMeasure grams: Int) {
    Task { @MainActor in
      weighing?.resume(returning: grams)
      weighing = nil
    }
  }
}

@MainActor
final class WeighButton {
  private let scale = Scale()
  private var taps = 0

  func tap() -> Task<Void, Never> {
    taps += 1
    let number = taps
    return Task(name: "weigh \(number)") {
      print("tap \(number): …")
      let grams = await scale.weigh()
      print("tap \(number): \(grams) g")
    }
  }
}

let button = WeighButton()
let first = button.tap()
try await Task.sleep(for: .milliseconds(20))
let second = button.tap()
await second.value
await first.value
print("done")
