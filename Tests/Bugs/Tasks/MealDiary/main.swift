// Symptom: Meals that I note while the diary is sending are missing on the server, and on my other
// phone. It is never those from quiet hours.
// Looks at: the sending ("sync")

import Foundation

struct Meal: Sendable {
  let number: Int
  let calories: Int
}

actor Server {
  private(set) var meals: [Meal] = []

  func store(_ batch: [Meal]) async {
    try? await Task.sleep(for: .milliseconds(30))
    meals += batch
  }
}

actor Diary {
  private let server: Server
  private var unsent: [Meal] = []
  private(set) var noted = 0

  init(server: Server) { self.server = server }

  func note(_ meal: Meal) {
    noted += 1
    unsent.append(meal)
  }

  func sync() async {
    guard !unsent.isEmpty else { return }
    await server.store(unsent)
    unsent.removeAll()  // culprit
  }
}

struct Phone: Sendable {
  let server = Server()
  let diary: Diary

  init() { diary = Diary(server: server) }

  func day(of meals: Int) async {
    let syncing = Task(name: "sync") {
      while !Task.isCancelled {
        await diary.sync()
        try? await Task.sleep(for: .milliseconds(10))
      }
    }
    for number in 1...meals {
      await diary.note(Meal(number: number, calories: 200 + number * 7 % 400))
      try? await Task.sleep(for: .milliseconds(8))
    }
    syncing.cancel()
    await syncing.value
    await diary.sync()
  }
}

let phone = Phone()
await phone.day(of: 40)
let stored = await phone.server.meals
print("noted: \(await phone.diary.noted)")
print("on the server: \(stored.count), \(stored.map(\.number))")
