// Symptom: The race has begun, the boats send where they are. The board at the club shows no leader
// and an empty map.
// Looks at: leader (the first line of the board)
import Foundation
import Varve

struct Position: Sendable {
  let sail: Int
  let mark: Int
  let metres: Int
}

final class Tracker: Sendable {
  private let receiver = QueueScheduler(name: "receiver")

  func positions(of race: String) -> SignalProducer<Position, Never> {
    SignalProducer<Int, Never>.interval(0..<24, interval: .milliseconds(6), on: receiver)
      .map { tick in
        let sail = [101, 102, 117][tick % 3]
        return Position(sail: sail, mark: tick / 9, metres: 400 - tick * (sail % 5 + 3))
      }
  }
}

final class ClubBoard: Sendable {
  let leader = MutableProperty<Int?>(nil)
  let map = MutableProperty<[Int: Position]>([:])
  let title = MutableProperty("")
  private let race: Connection<Position, Never>

  init(_ tracker: Tracker, _ name: String) {
    title.value = "Race \(name)"
    // One receiver for the map and the first line.
    race = tracker.positions(of: name)
      .filter { $0.metres >= 0 }
      .observe(on: QueueScheduler(name: "board"))
      .publish()  // culprit
    map <~ race.producer.scan(into: [:]) { $0[$1.sail] = $1 }
    leader
      <~ race.producer
      .scan(into: [Int: Position]()) { $0[$1.sail] = $1 }
      .map { $0.values.max { ($0.mark, -$0.metres) < ($1.mark, -$1.metres) }?.sail }
      .skipRepeats()
      .named("leader")
  }
}

let board = ClubBoard(Tracker(), "Silver Oar")
board.leader.signal.skipNil().observeValues { print("first: \($0)") }
print(board.title.value)
Thread.sleep(forTimeInterval: 0.4)
print("\(board.map.value.count) boats, leader \(board.leader.value.map(String.init) ?? "none")")
