// Symptom: none. Channels are opened and left, each takes what is said on it; the names of those
// who speak are paired with their words, and a station that was sought is no longer sought when
// another is.
// Looks at: calls (what comes over the air)
import Foundation
import Varve

struct Call: Sendable {
  let channel: Int
  let text: String
}

final class Radio: Sendable {
  let calls: Signal<Call, Never>
  let callers: Signal<String, Never>
  private let antenna: Signal<Call, Never>.Observer
  private let decoder: Signal<String, Never>.Observer

  init() {
    (calls, antenna) = Signal.pipe(named: "calls")
    (callers, decoder) = Signal.pipe()
  }

  /// The name of the caller is decoded before or after the words.
  func receive(_ text: String, from caller: String, on channel: Int, nameFirst: Bool) {
    if nameFirst { decoder.send(value: caller) }
    antenna.send(value: Call(channel: channel, text: text))
    if !nameFirst { decoder.send(value: caller) }
  }
}

// Safety: screens are made, changed and released on one thread at a time.
final class ChannelScreen: @unchecked Sendable {
  // Safety: as for the screens.
  nonisolated(unsafe) static var living = 0
  private(set) var lines: [String] = []
  private let (lifetime, token) = Lifetime.make()

  init(_ radio: Radio, channel: Int) {
    Self.living += 1
    radio.calls.zip(with: radio.callers)
      .take(during: lifetime)
      .filter { call, _ in call.channel == channel }
      .observeValues { [weak self] call, caller in self?.lines.append("\(caller): \(call.text)") }
  }

  deinit { Self.living -= 1 }
}

final class Tuner: Sendable {
  let tuned = MutableProperty("")
  let wanted = MutableProperty(0)
  private let synthesizer = QueueScheduler(name: "synthesizer")

  init() {
    tuned
      <~ wanted.signal.flatMap(.latest) { [synthesizer] channel in
        SignalProducer(value: "channel \(channel)").delay(.milliseconds(40), on: synthesizer)
      }
  }
}

let radio = Radio()
let tuner = Tuner()
tuner.tuned.signal.observeValues { print("tuned to \($0)") }
var screen: ChannelScreen?
for round in 1...12 {
  screen = ChannelScreen(radio, channel: 1 + round % 3)
  tuner.wanted.value = 1 + round % 3
  for channel in 1...3 {
    radio.receive("round \(round)", from: "hut \(channel)", on: channel, nameFirst: round > 6)
  }
  print(screen?.lines ?? [])
  Thread.sleep(forTimeInterval: 0.01)
}
Thread.sleep(forTimeInterval: 0.15)
print("screens in memory: \(ChannelScreen.living)")
