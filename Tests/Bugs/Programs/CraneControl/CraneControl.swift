// Symptom: The control of the crane crashes when the operator has logged out while the hook was
// still swinging.
// Looks at: the swing of the hook ("swing")
import Foundation
import Varve

final class Hook {
  let swing: Signal<Double, Never>
  private let input: Signal<Double, Never>.Observer
  private let sensor = QueueScheduler(name: "sensor")

  init() { (swing, input) = Signal.pipe(named: "swing") }

  func shake(_ seconds: Double) {
    for step in 0..<Int(seconds * 100) {
      sensor.schedule(after: .milliseconds(step * 10)) { [input] in
        input.send(value: sin(Double(step) / 3) * 12)
      }
    }
  }
}

final class OperatorPanel {
  private let name: String
  private var warnings = 0

  init(_ name: String, hook: Hook) {
    self.name = name
    hook.swing
      .map(abs)
      .filter { $0 > 8 }
      .observeValues { [unowned self] in warn(about: $0) }  // culprit
  }

  private func warn(about degrees: Double) {
    warnings += 1
    print("\(name), careful: \(Int(degrees))° (\(warnings))")
  }
}

final class Cabin {
  private var panel: OperatorPanel?
  private let hook: Hook

  init(_ hook: Hook) { self.hook = hook }

  func logIn(_ name: String) { panel = OperatorPanel(name, hook: hook) }
  func logOut() { panel = nil }
}

let hook = Hook()
let cabin = Cabin(hook)
cabin.logIn("Olga")
hook.shake(0.6)
Thread.sleep(forTimeInterval: 0.3)
cabin.logOut()
print("logged out")
Thread.sleep(forTimeInterval: 0.5)
print("end of the shift")
