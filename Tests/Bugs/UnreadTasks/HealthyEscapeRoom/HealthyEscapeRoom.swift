// Symptom: None; this works.
// Looks at: the bookings ("booking")

import Foundation

actor Till {
  private var receipts = 0

  func charge(_ euros: Int) async -> Int {
    try? await Task.sleep(for: .milliseconds(15))
    receipts += 1
    return receipts
  }
}

/// Takes a place before it is paid, so that no one else gets it in the meantime.
actor EscapeRoom {
  private var places = 4
  private let till = Till()

  func book(_ team: String) async -> String {
    guard places > 0 else { return "\(team): sold out" }
    places -= 1
    let seat = 4 - places
    let receipt = await till.charge(25)
    return "\(team): place \(seat), receipt \(receipt)"
  }

  var left: Int { places }
}

let room = EscapeRoom()
let bookings = ["Foxes", "Owls", "Badgers", "Herons", "Otters", "Moles"].map { team in
  Task(name: "booking") { await room.book(team) }
}
for booking in bookings { print(await booking.value) }
print("\(await room.left) places left")
