// Symptom: As long as the app waits for my hearing aid to be put into its case, the phone gets warm and
// its battery goes down by ten per cent an hour.
// Looks at: the waiting for the case ("case")

import Foundation

actor HearingAid {
  private(set) var questions = 0
  private var isInCase = false

  func askWhetherInCase() -> Bool {
    questions += 1
    return isInCase
  }

  func putIntoCase() { isInCase = true }
}

@MainActor
final class UpdatePage {
  private let aid: HearingAid
  private(set) var text = ""

  init(aid: HearingAid) { self.aid = aid }

  func update() async throws {
    text = "Please put the hearing aid into its case"
    while await !aid.askWhetherInCase() {
      try await Task.sleep(for: .milliseconds(1))  // culprit
    }
    text = "Updating"
    try await Task.sleep(for: .milliseconds(50))
    text = "Your hearing aid is up to date"
  }
}

let aid = HearingAid()
let page = UpdatePage(aid: aid)
let update = Task(name: "case") { try await page.update() }
for tenth in 1...10 {
  try await Task.sleep(for: .milliseconds(100))
  if tenth % 3 == 0 { print("\(page.text) (asked \(await aid.questions) times)") }
}
await aid.putIntoCase()
try await update.value
print("\(page.text) (asked \(await aid.questions) times)")
