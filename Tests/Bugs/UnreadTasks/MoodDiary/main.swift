// Symptom: I wrote into my diary for a week. On my new phone there are only the entries of the first
// three days; the app never told me of a problem.
// Looks at: the saving of an entry ("save entry")

import Foundation

enum CloudError: Error { case quotaExceeded }

struct Entry: Sendable {
  let day: Int
  let mood: String
}

actor Cloud {
  private(set) var entries: [Entry] = []
  private let quota = 3

  func save(_ entry: Entry) async throws {
    try await Task.sleep(for: .milliseconds(10))
    guard entries.count < quota else { throw CloudError.quotaExceeded }
    entries.append(entry)
  }
}

@MainActor
final class Diary {
  private let cloud: Cloud
  private(set) var entries: [Entry] = []
  private(set) var message: String?

  init(cloud: Cloud) { self.cloud = cloud }

  func write(_ mood: String) {
    let entry = Entry(day: entries.count + 1, mood: mood)
    entries.append(entry)
    Task(name: "save entry") {  // culprit
      try await cloud.save(entry)
    }
  }
}

let cloud = Cloud()
let diary = Diary(cloud: cloud)
for mood in ["fine", "tired", "happy", "in love", "in love", "worried", "fine"] {
  diary.write(mood)
  try await Task.sleep(for: .milliseconds(40))
}
print("this phone: \(diary.entries.map(\.mood))")
print("new phone: \(await cloud.entries.map(\.mood))")
print("message: \(diary.message ?? "none")")
