// Symptom: After the login the address book says "Loading" and never shows a contact.
// Looks at: the screen ("address book")

import Foundation

struct Contact: Sendable {
  var id: Int
  var name: String
}

struct DirectoryServer: Sendable {
  func contacts() async -> [Contact] {
    try? await Task.sleep(for: .milliseconds(30))
    return ["Ada", "Grace", "Mary"].enumerated().map { Contact(id: $0 + 1, name: $1) }
  }

  func groups() async -> [String: [Int]] {
    try? await Task.sleep(for: .milliseconds(20))
    return ["Family": [3, 1], "Work": [2]]
  }
}

@MainActor
final class AddressBook {
  private let server = DirectoryServer()
  private var groups: Task<[String: [String]], Never>?
  private var contacts: Task<[Contact], Never>?

  func logIn() {
    groups = Task(name: "groups") {
      // The server's groups have identifiers only; the names come with the contacts.
      let members = await server.groups()
      let contacts = await contacts?.value ?? []
      return members.mapValues { ids in
        contacts.filter { ids.contains($0.id) }.map(\.name)
      }
    }
    contacts = Task(name: "contacts") {
      let all = await server.contacts()
      let family = await groups?.value["Family"] ?? []  // culprit
      return all.sorted { family.contains($0.name) && !family.contains($1.name) }
    }
  }

  func show() async {
    print("Loading …")
    for contact in await contacts?.value ?? [] { print("- \(contact.name)") }
    for (group, names) in await groups?.value ?? [:] { print("\(group): \(names.count)") }
  }
}

let book = AddressBook()
book.logIn()
let screen = Task(name: "address book") { await book.show() }
await screen.value
