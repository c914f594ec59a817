// Symptom: Some of the guests have got their invitation twice, always when the mail server was
// busy for one of the others.
// Looks at: the sending of the invitations

import Foundation

@main
struct RegimentDinnerApp {
  static func main() async {
    let server = MailServer(busyFor: "General Wolf")
    let invitations = InvitationService(mailer: server)
    let guests = ["Major Fox", "Captain Hare", "General Wolf", "Sergeant Mole"].map {
      Guest(name: $0, address: $0.lowercased().replacingOccurrences(of: " ", with: ".") + "@army")
    }
    do {
      try await invitations.invite(guests, to: "the summer dinner")
      print("all are invited")
    } catch {
      print("the invitations could not be sent: \(error)")
    }
    for guest in guests {
      print("\(guest.name): \(await server.letters(to: guest.address)) invitation(s)")
    }
  }
}
