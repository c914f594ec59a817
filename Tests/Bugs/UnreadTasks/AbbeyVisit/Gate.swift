import Foundation

struct Ticket: Sendable {
  var code: String
  var holder: String
}

enum GateError: Error {
  case unknownTicket
  case usedAlready
}

protocol TicketSource: Sendable {
  func ticket(for code: String) async throws -> Ticket?
}

actor Gate {
  private let tickets: any TicketSource
  private let log: VisitLog
  private var inside: Set<String> = []

  init(tickets: any TicketSource, log: VisitLog) {
    self.tickets = tickets
    self.log = log
  }

  func admit(_ code: String) async throws -> Ticket {
    // The log need not be written before the gate opens.
    async let _ = log.write("scanned \(code)")  // culprit
    guard let ticket = try await tickets.ticket(for: code) else {
      throw GateError.unknownTicket
    }
    guard inside.insert(ticket.code).inserted else { throw GateError.usedAlready }
    return ticket
  }
}
