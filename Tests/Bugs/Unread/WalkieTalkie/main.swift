// Symptom: The more often I switch between channels, the more memory the radio takes. After an hour
// of watching it is slow.
// Looks at: calls (what comes over the air)
import Foundation
import Varve

struct Call: Sendable {
  let channel: Int
  let text: String
}

final class Radio: Sendable {
  let calls: Signal<Call, Never>
  private let antenna: Signal<Call, Never>.Observer

  init() { (calls, antenna) = Signal.pipe(named: "calls") }

  func receive(_ text: String, on channel: Int) {
    antenna.send(value: Call(channel: channel, text: text))
  }
}

// Safety: screens are made, changed and released on one thread at a time.
final class ChannelScreen: @unchecked Sendable {
  // Safety: as for the screens.
  nonisolated(unsafe) static var living = 0

  private(set) var lines: [String] = []
  private let waterfall = [UInt8](repeating: 0, count: 200_000)
  private let (lifetime, token) = Lifetime.make()

  init(_ radio: Radio, channel: Int) {
    Self.living += 1
    radio.calls
      .filter { $0.channel == channel }
      .take(during: lifetime)
      .map { "\($0.channel): \($0.text)" }
      .observeValues { self.lines.append($0) }  // culprit
  }

  deinit { Self.living -= 1 }
}

final class Navigator {
  private let radio: Radio
  private var screen: ChannelScreen?

  init(_ radio: Radio) { self.radio = radio }

  func open(_ channel: Int) { screen = ChannelScreen(radio, channel: channel) }
  func close() { screen = nil }
}

let radio = Radio()
let navigator = Navigator(radio)
for round in 1...15 {
  navigator.open(1 + round % 3)
  for channel in 1...3 { radio.receive("message \(round)", on: channel) }
  Thread.sleep(forTimeInterval: 0.01)
}
navigator.close()
radio.receive("anyone there?", on: 2)
print("screens in memory: \(ChannelScreen.living)")
