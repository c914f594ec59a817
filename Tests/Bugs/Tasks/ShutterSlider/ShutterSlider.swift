// Symptom: One pull at the slider of a shutter, and its motor gets a dozen orders instead of one.
// Looks at: the orders to the motor ("shutter order")

import Foundation

actor ShutterMotor {
  private(set) var orders: [Int] = []

  func drive(to percent: Int) async {
    orders.append(percent)
    print("motor: \(percent) %")
    try? await Task.sleep(for: .milliseconds(2))
  }
}

@MainActor
final class ShutterModel {
  private(set) var percent = 0
  private var order: Task<Void, Never>?
  private let motor: ShutterMotor

  init(motor: ShutterMotor) {
    self.motor = motor
  }

  /// Called for each step of the finger; the motor is to move when the finger rests.
  func sliderMoved(to percent: Int) {
    self.percent = percent
    order = Task(name: "shutter order") {  // culprit
      try? await Task.sleep(for: .milliseconds(50))
      guard !Task.isCancelled else { return }
      await motor.drive(to: percent)
    }
  }

  func screenClosed() {
    order?.cancel()
  }
}

@MainActor func run() async {
  let motor = ShutterMotor()
  let model = ShutterModel(motor: motor)
  for step in 1...12 {
    model.sliderMoved(to: step * 5)
    try? await Task.sleep(for: .milliseconds(12))
  }
  try? await Task.sleep(for: .milliseconds(150))
  model.screenClosed()
  print("\(await motor.orders.count) orders for a shutter at \(model.percent) %")
}
await run()
