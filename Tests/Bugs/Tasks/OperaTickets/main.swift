// Symptom: Since the sale no longer waits for the mail, nobody gets a confirmation. There is no
// error either.
// Looks at: the first sale ("sale 1")

import Foundation

struct Ticket: Sendable {
  let seat: Int
  let buyer: String
}

actor SeatMap {
  private var free = Array((1...40).reversed())

  func take() async throws -> Int {
    try await Task.sleep(for: .milliseconds(15))
    guard let seat = free.popLast() else { throw CancellationError() }
    return seat
  }
}

actor Mailer {
  private(set) var sent: [String] = []

  func confirm(_ ticket: Ticket) async throws {
    try await connect()
    sent.append("\(ticket.buyer): seat \(ticket.seat)")
  }

  private func connect() async throws {
    try await Task.sleep(for: .milliseconds(60))
  }
}

struct BoxOffice: Sendable {
  let seats = SeatMap()
  let mailer = Mailer()

  func sell(to buyer: String) async throws -> Ticket {
    let ticket = Ticket(seat: try await seats.take(), buyer: buyer)
    // The buyer sees the ticket at once; the mail may take a while.
    async let _ = mailer.confirm(ticket)  // culprit
    return ticket
  }
}

let office = BoxOffice()
let sales = ["Iris", "Jonas", "Kim"].enumerated().map { number, buyer in
  Task(name: "sale \(number + 1)") { try await office.sell(to: buyer) }
}
for sale in sales {
  let ticket = try await sale.value
  print("\(ticket.buyer) has seat \(ticket.seat)")
}
try? await Task.sleep(for: .milliseconds(250))
print("confirmations sent: \(await office.mailer.sent)")
