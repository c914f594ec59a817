// Symptom: Two cars wait for the same plug. When it gets free, one of them charges. The driver of
// the other one sees "waits for the plug" until the car park closes.
// Looks at: the car that came second ("Zoe")

import Foundation

/// A plug of a car park, which one car has at a time.
actor Plug {
  private var isTaken = false
  private var next: CheckedContinuation<Void, Never>?

  func take() async {
    guard isTaken else {
      isTaken = true
      return
    }
    await withCheckedContinuation { next = $0 }  // culprit
  }

  func giveBack() {
    guard let next else {
      isTaken = false
      return
    }
    self.next = nil
    next.resume()
  }
}

struct Car: Sendable {
  let name: String
  let kilowattHours: Int

  func charge(at plug: Plug) async -> Int {
    print("\(name) waits for the plug")
    await plug.take()
    print("\(name) charges")
    for _ in 0..<kilowattHours {
      try? await Task.sleep(for: .milliseconds(4))
    }
    await plug.giveBack()
    print("\(name) is full")
    return kilowattHours * 39
  }
}

let plug = Plug()
let cars = [
  Car(name: "Leaf", kilowattHours: 30),
  Car(name: "Zoe", kilowattHours: 12),
  Car(name: "Ioniq", kilowattHours: 20),
]
var bills: [Task<Int, Never>] = []
for car in cars {
  bills.append(Task(name: car.name) { await car.charge(at: plug) })
  try await Task.sleep(for: .milliseconds(20))
}
var cents = 0
for bill in bills { cents += await bill.value }
print("the car park earned \(cents) cents")
