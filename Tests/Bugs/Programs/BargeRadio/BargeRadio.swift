// Symptom: I turn the knob from channel 10 to 22. The display says 22, and I still hear the talk
// of channel 10, however often I turn it.
// Looks at: what the loudspeaker says ("speech")
import Foundation
import Varve

struct Call: Equatable {
  let channel: Int
  let number: Int
  let strength: Int
}

/// The receiver: on each channel there is talk all day.
final class Receiver: Sendable {
  private let band = QueueScheduler(name: "band")

  func talk(on channel: Int) -> SignalProducer<Call, Never> {
    SignalProducer.interval(.milliseconds(12), on: band)
      .map { Call(channel: channel, number: $0, strength: 20 + ($0 * 37 + channel) % 80) }
  }
}

final class MarineRadio {
  let knob = MutableProperty(10)
  let squelch = MutableProperty(30)
  let display: Property<String>
  let speech: Property<String>

  init(_ receiver: Receiver, on panel: any Scheduler) {
    display = knob.map { "CH \($0)" }
    let calls = knob.producer
      .skipRepeats()
      .flatMap(.concat) { channel in  // culprit
        receiver.talk(on: channel)
      }
    let audible = calls.withLatest(from: squelch.producer)
      .filter { call, threshold in call.strength >= threshold }
      .map { call, _ in "call \(call.number) on channel \(call.channel)" }
    speech = Property(initial: "(silence)", then: audible.observe(on: panel))
  }
}

let panel = QueueScheduler(name: "panel")
let radio = MarineRadio(Receiver(), on: panel)
radio.speech.producer.named("speech").startWithValues { print($0) }
radio.display.producer.startWithValues { print("[\($0)]") }
Thread.sleep(forTimeInterval: 0.1)
radio.squelch.value = 45
for channel in [12, 16, 22] {
  radio.knob.value = channel
  Thread.sleep(forTimeInterval: 0.08)
}
print("display: \(radio.display.value), heard: \(radio.speech.value)")
