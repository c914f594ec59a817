// Symptom: Owners who asked us not to write to them any more get the reminder of the vaccination. All the
// others complain that they were not reminded.
// Looks at: the reminders that are sent ("reminders")

import Foundation
import Varve

struct Pet: Sendable {
  let name: String
  let owner: Owner
  let vaccinated: Int
}

struct Owner: Sendable {
  let mail: String
  let wantsNoMail: Bool
}

struct Clinic: Sendable {
  let pets: [Pet]
  private let database = QueueScheduler(name: "database")

  init(pets: [Pet]) { self.pets = pets }

  /// The pets whose last vaccination is too long ago.
  func due(in year: Int) -> SignalProducer<Pet, Never> {
    SignalProducer(pets)
      .start(on: database)
      .filter { year - $0.vaccinated >= 3 }
  }
}

final class MailServer: Sendable {
  let sent = MutableProperty<[String]>([])

  func send(_ text: String, to mail: String) {
    sent.modify { $0.append("\(mail): \(text)") }
  }
}

final class ReminderJob: Sendable {
  private let clinic: Clinic
  private let server: MailServer

  init(clinic: Clinic, server: MailServer) {
    self.clinic = clinic
    self.server = server
  }

  func run(year: Int) -> SignalProducer<Pet, Never> {
    clinic.due(in: year)
      .filter { $0.owner.wantsNoMail }  // culprit
      .on(value: { [server] pet in
        server.send("\(pet.name) should be vaccinated again", to: pet.owner.mail)
      })
      .named("reminders")
  }
}

let clinic = Clinic(pets: [
  Pet(name: "Bello", owner: Owner(mail: "anna@home", wantsNoMail: false), vaccinated: 2021),
  Pet(name: "Mimi", owner: Owner(mail: "boris@home", wantsNoMail: true), vaccinated: 2020),
  Pet(name: "Flocke", owner: Owner(mail: "carla@home", wantsNoMail: false), vaccinated: 2022),
  Pet(name: "Rex", owner: Owner(mail: "dario@home", wantsNoMail: false), vaccinated: 2025),
  Pet(name: "Tapsi", owner: Owner(mail: "emil@home", wantsNoMail: false), vaccinated: 2019),
])
let server = MailServer()
let job = ReminderJob(clinic: clinic, server: server)
let result = job.run(year: 2025).collect().waitForLast()
for mail in server.sent.value { print(mail) }
if case .success(let pets)? = result { print("\(pets.count) reminders") }
