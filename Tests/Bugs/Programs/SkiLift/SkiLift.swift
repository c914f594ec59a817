// Symptom: In the evening the counter of the ski lift shows fewer guests than have gone through
// the two gates; on quiet days it is right.
// Looks at: the number of guests (the property "guests")
import Foundation
import Varve

final class LiftCounter {
  let guests = MutableProperty(0, named: "guests")

  func add(_ count: Int) {
    let before = guests.value
    guests.value = before + weigh(count)  // culprit
  }

  /// Children on the lap of somebody are found by their weight.
  private func weigh(_ count: Int) -> Int {
    Thread.sleep(forTimeInterval: 0.0003)
    return count
  }
}

final class Gate {
  let passages: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let queue: QueueScheduler

  init(_ name: String) {
    (passages, input) = Signal.pipe()
    queue = QueueScheduler(name: name)
  }

  func open(for guests: Int, group: DispatchGroup) {
    group.enter()
    queue.schedule { [input] in
      for _ in 0..<guests {
        input.send(value: 1)
        Thread.sleep(forTimeInterval: 0.0002)
      }
      group.leave()
    }
  }
}

let counter = LiftCounter()
let gates = [Gate("left gate"), Gate("right gate")]
for gate in gates { gate.passages.observeValues { counter.add($0) } }
let day = DispatchGroup()
for gate in gates { gate.open(for: 300, group: day) }
day.wait()
print("600 guests went through, the counter says \(counter.guests.value)")
