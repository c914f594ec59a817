// Symptom: A passenger gave his berth back an hour ago. On the conductor's plan it is taken, and I
// cannot sell it again.
// Looks at: plan (the berths on the conductor's screen)
import Foundation
import Varve

enum Berth: String, Sendable {
  case free, reserved, occupied
}

struct Change: Sendable {
  let coach: Int
  let number: Int
  let state: Berth
}

final class Reservations: Sendable {
  let changes: Signal<Change, Never>
  private let input: Signal<Change, Never>.Observer

  init() { (changes, input) = Signal.pipe() }

  /// The radio repeats each message until the train has confirmed it.
  func receive(_ change: Change, times: Int) {
    for _ in 1...times { input.send(value: change) }
  }
}

final class Coach: Sendable {
  let berths = MutableProperty<[Int: Berth]>([:])
  let free: Property<Int>

  init(_ number: Int, of reservations: Reservations) {
    free = berths.map { berths in 12 - berths.values.filter { $0 != .free }.count }
    berths
      <~ reservations.changes
      .filter { $0.coach == number }
      .uniqueValues(\.number)  // culprit
      .scan(into: [:]) { $0[$1.number] = $1.state }
      .named("plan")
  }
}

let reservations = Reservations()
let coach = Coach(263, of: reservations)
coach.berths.signal.observeValues { berths in
  print(berths.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rawValue)" })
}
coach.free.signal.observeValues { print("\($0) free") }
for (number, state, times) in [
  (11, Berth.reserved, 3), (15, .reserved, 1), (22, .reserved, 2), (11, .occupied, 2),
  (15, .free, 4), (31, .reserved, 1),
] {
  reservations.receive(Change(coach: 263, number: number, state: state), times: times)
  reservations.receive(Change(coach: 264, number: number, state: .reserved), times: 1)
  Thread.sleep(forTimeInterval: 0.02)
}
print("berth 15: \(coach.berths.value[15]?.rawValue ?? "unknown")")
