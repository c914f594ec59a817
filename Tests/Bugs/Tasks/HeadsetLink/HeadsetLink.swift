// Symptom: I switched my headset off and closed its page. In the log of the phone there are now
// thousands of attempts to connect with it, without a pause, and the battery is empty by noon.
// Looks at: the link with the headset ("link")

import Foundation

enum RadioError: Error {
  case noAnswer
}

actor Radio {
  private(set) var attempts = 0
  private var isOn = true

  func switchOff() { isOn = false }

  func connect() async throws -> Int {
    attempts += 1
    try await Task.sleep(for: .milliseconds(5))
    guard isOn else { throw RadioError.noAnswer }
    return attempts
  }

  func battery() async throws -> Int {
    try await Task.sleep(for: .milliseconds(5))
    guard isOn else { throw RadioError.noAnswer }
    return 80
  }
}

@MainActor
final class HeadsetPage {
  private(set) var text = "searching…"
  private let radio: Radio
  private var link: Task<Void, Never>?

  init(radio: Radio) { self.radio = radio }

  func open() {
    link = Task(name: "link") { [weak self, radio] in
      while true {
        do {
          let channel = try await radio.connect()
          while true {
            let percent = try await radio.battery()
            self?.text = "channel \(channel), battery \(percent) %"
          }
        } catch {
          self?.text = "no headset"
          try? await Task.sleep(for: .milliseconds(25))  // culprit
        }
      }
    }
  }

  func close() { link?.cancel() }
}

let radio = Radio()
let page = HeadsetPage(radio: radio)
page.open()
try await Task.sleep(for: .milliseconds(80))
print(page.text)
await radio.switchOff()
try await Task.sleep(for: .milliseconds(120))
print("\(page.text) after \(await radio.attempts) attempts")
page.close()
let before = await radio.attempts
try await Task.sleep(for: .milliseconds(150))
print("\(await radio.attempts - before) attempts after the page was closed")
