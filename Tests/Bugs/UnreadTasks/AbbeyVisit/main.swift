// Symptom: The gate at the abbey takes a quarter of a second for each ticket, and the queue gets
// long. The look-up of a ticket takes a few milliseconds only.
// Looks at: the admission of a visitor ("gate")

import Foundation

let office = TicketOffice()
let gate = Gate(tickets: office, log: VisitLog(archive: Archive()))
let clock = ContinuousClock()

let queue = Task(name: "gate") {
  for code in ["A-17", "A-18", "B-02", "A-17", "C-40"] {
    let start = clock.now
    var answer = "welcome"
    do {
      let ticket = try await gate.admit(code)
      answer = "welcome, \(ticket.holder)"
    } catch {
      answer = "\(error)"
    }
    let milliseconds = Int((clock.now - start) / .milliseconds(1))
    print("\(code): \(answer) (\(milliseconds) ms)")
  }
}
await queue.value
