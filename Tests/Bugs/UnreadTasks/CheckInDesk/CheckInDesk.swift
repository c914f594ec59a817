// Symptom: I press "Check in", the wheel turns for a moment, and then I am back at the first
// page. There is no boarding pass, and not a word about why.
// Looks at: the check-in after the press ("check-in TX91QF")

import Foundation

enum CheckInError: Error {
  case passportExpired(String)
  case flightClosed
}

struct BoardingPass: Sendable {
  let reference: String
  let seat: String
}

actor AirlineServer {
  private let expired: Set = ["TX91QF"]

  func checkIn(_ reference: String) async throws -> BoardingPass {
    try await Task.sleep(for: .milliseconds(30))
    if expired.contains(reference) { throw CheckInError.passportExpired(reference) }
    return BoardingPass(reference: reference, seat: "14C")
  }
}

@MainActor
final class CheckInPage {
  private(set) var pass: BoardingPass?
  private(set) var message = ""
  private(set) var isBusy = false
  private let server: AirlineServer
  private var work: Task<Void, any Error>?

  init(server: AirlineServer) { self.server = server }

  func press(_ reference: String) {
    guard !isBusy else { return }
    isBusy = true
    message = ""
    work = Task(name: "check-in \(reference)") {  // culprit
      defer { isBusy = false }
      let pass = try await server.checkIn(reference)
      self.pass = pass
      message = "You sit at \(pass.seat). Have a good flight!"
    }
  }

  func leave() { work?.cancel() }
}

@MainActor
func show(_ page: CheckInPage) async {
  while page.isBusy { try? await Task.sleep(for: .milliseconds(10)) }
  print("pass: \(page.pass?.seat ?? "none"), message: '\(page.message)'")
}

let page = CheckInPage(server: AirlineServer())
page.press("QK07LM")
await show(page)
let second = CheckInPage(server: AirlineServer())
second.press("TX91QF")
await show(second)
second.leave()
