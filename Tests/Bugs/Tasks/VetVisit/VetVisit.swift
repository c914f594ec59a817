// Symptom: The visits are there, but the practice's journal of who changed what has been empty
// since the update.
// Looks at: the entry of the journal ("journal")

import Foundation

struct Visit: Sendable {
  let animal: String
  let finding: String
}

actor Journal {
  private(set) var lines: [String] = []

  func add(_ line: String) async {
    do {
      // The journal is kept in another building.
      try await Task.sleep(for: .milliseconds(20))
      lines.append(line)
    } catch {
      return
    }
  }
}

actor VisitStore {
  private(set) var visits: [Visit] = []

  func insert(_ visit: Visit) async -> Int {
    try? await Task.sleep(for: .milliseconds(5))
    visits.append(visit)
    return visits.count
  }
}

struct Practice: Sendable {
  let journal = Journal()
  let store = VisitStore()

  func save(_ visit: Visit, by user: String) async -> Int {
    async let _ = journal.add("\(user) saved \(visit.animal)")  // culprit
    let number = await store.insert(visit)
    return number
  }
}

let practice = Practice()
let visits = [
  Visit(animal: "Minka", finding: "healthy"), Visit(animal: "Hasso", finding: "left ear"),
  Visit(animal: "Coco", finding: "too fat"),
]
for visit in visits {
  let number = await practice.save(visit, by: "dr. lang")
  print("visit \(number): \(visit.animal), \(visit.finding)")
}
try await Task.sleep(for: .milliseconds(100))
print("journal: \(await practice.journal.lines)")
