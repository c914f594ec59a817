// Symptom: None. The loudspeaker follows the knob.
// Looks at: what the loudspeaker says ("speech")
import Foundation
import Varve

struct Call: Equatable {
  let channel: Int
  let number: Int
  let strength: Int
}

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
  let log = MutableProperty<[Int]>([])

  init(_ receiver: Receiver, on panel: any TimedScheduler) {
    display = knob.map { "CH \($0)" }
    let channel = knob.producer.skipRepeats().replayLazily(upTo: 1)
    let audible =
      channel
      .flatMap(.latest) { channel in receiver.talk(on: channel) }
      .withLatest(from: squelch.producer)
      .filter { call, threshold in call.strength >= threshold }
      .map { call, _ in "call \(call.number) on channel \(call.channel)" }
    speech = Property(initial: "(silence)", then: audible.observe(on: panel))
    // Only a channel that one stays on goes into the log.
    log <~ channel.debounce(.milliseconds(50), on: panel).scan([]) { ($0 + [$1]).suffix(8) }
  }
}

let panel = QueueScheduler(name: "panel")
let radio = MarineRadio(Receiver(), on: panel)
radio.speech.producer.named("speech").startWithValues { print($0) }
radio.display.producer.startWithValues { print("[\($0)]") }
Thread.sleep(forTimeInterval: 0.1)
radio.squelch.value = 45
for channel in [11, 12, 13, 14, 15, 16] {
  radio.knob.value = channel
  Thread.sleep(forTimeInterval: 0.008)
}
Thread.sleep(forTimeInterval: 0.15)
radio.knob.value = 22
Thread.sleep(forTimeInterval: 0.15)
print("display: \(radio.display.value), heard: \(radio.speech.value), log: \(radio.log.value)")
