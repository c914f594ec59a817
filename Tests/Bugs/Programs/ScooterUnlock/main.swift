// Symptom: I press "Unlock", and the app freezes. It has to be killed.
// Looks at: the answer of the scooter ("unlocked")

import Foundation
import Varve

final class BluetoothLink {
  let queue = QueueScheduler(name: "bluetooth")
  let packets: Signal<[UInt8], Never>
  private let input: Signal<[UInt8], Never>.Observer

  init() { (packets, input) = Signal.pipe() }

  func write(_ bytes: [UInt8]) {
    queue.schedule(after: .milliseconds(10)) { [input] in input.send(value: bytes + [0x90]) }
  }
}

final class ScooterModel {
  let state = MutableProperty("locked")
  private let link: BluetoothLink

  init(link: BluetoothLink) { self.link = link }

  func unlock(pin: UInt8) -> SignalProducer<Bool, Never> {
    SignalProducer(value: pin)
      .observe(on: link.queue)
      .map { [link] pin in
        let answer = SignalProducer(link.packets)
          .filter { $0.last == 0x90 }
          .on(started: { link.write([0x20, pin]) })
          .named("unlocked")
          .waitForFirst()  // culprit
        guard case .success(let bytes)? = answer else { return false }
        return bytes.first == 0x20
      }
  }
}

let model = ScooterModel(link: BluetoothLink())
let done = DispatchSemaphore(value: 0)
print("Unlocking …")
model.unlock(pin: 42).startWithValues { isUnlocked in
  model.state.value = isUnlocked ? "unlocked" : "locked"
  print(model.state.value)
  done.signal()
}
done.wait()
