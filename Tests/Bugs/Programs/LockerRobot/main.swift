// Symptom: When the last parcel is in its locker, the robot's program does not answer any more, and
// its fan is loud. It should wait for the next van.
// Looks at: the stored parcels ("stored")

import Foundation
import Varve

struct Parcel {
  var id: Int
  var size: Int
}

final class Conveyor {
  private let waiting: MutableProperty<[Parcel]>

  init(_ parcels: [Parcel]) { waiting = MutableProperty(parcels) }

  /// The next parcel on the belt, if there is one.
  var next: SignalProducer<Parcel, Never> {
    SignalProducer { [waiting] observer, _ in
      let parcel = waiting.modify { $0.isEmpty ? nil : $0.removeFirst() }
      if let parcel { observer.send(value: parcel) }
      observer.sendCompleted()
    }
  }
}

final class Lockers {
  private var free = [1: 4, 2: 3, 3: 2]

  func store(_ parcel: Parcel) -> Bool {
    guard let left = free[parcel.size], left > 0 else { return false }
    free[parcel.size] = left - 1
    return true
  }
}

final class Robot {
  let stored = MutableProperty(0)
  private let lockers = Lockers()

  func work(at conveyor: Conveyor) {
    conveyor.next
      .repeatForever()  // culprit
      .filter { [lockers] in lockers.store($0) }
      .named("stored")
      .startWithValues { [stored] parcel in
        stored.modify { $0 += 1 }
        print("parcel \(parcel.id) is stored")
      }
  }
}

let conveyor = Conveyor((1...6).map { Parcel(id: $0, size: $0 % 3 + 1) })
let robot = Robot()
robot.work(at: conveyor)
print("stored: \(robot.stored.value), waiting for the next van")
