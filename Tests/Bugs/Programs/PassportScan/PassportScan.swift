// Symptom: The gate reads my passport, the light turns yellow, and then nothing moves any more.
// Looks at: verdict (what the gate shows)
import Foundation
import Varve

struct Passport: Sendable {
  let country: String
  let signature: Int
}

/// Reads the certificates of the countries from a file.
final class Certificates: Sendable {
  private let crypto: QueueScheduler

  init(crypto: QueueScheduler) { self.crypto = crypto }

  func key(of country: String) -> SignalProducer<Int, Never> {
    SignalProducer { country.utf8.reduce(7) { $0 &* 31 &+ Int($1) } }
      .start(on: crypto)
  }
}

final class Gate: Sendable {
  let verdict = MutableProperty("insert your passport")
  let passports: Signal<Passport, Never>
  private let input: Signal<Passport, Never>.Observer
  /// All of the cryptography is done on this queue.
  private let crypto = QueueScheduler(name: "crypto")

  init() {
    (passports, input) = Signal.pipe()
    let certificates = Certificates(crypto: crypto)
    verdict
      <~ passports
      .observe(on: crypto)
      .map { passport in
        let key = certificates.key(of: passport.country).waitForSingle()?.get()  // culprit
        return key == passport.signature ? "welcome" : "please wait for an officer"
      }
      .named("verdict")
  }

  func insert(_ passport: Passport) {
    verdict.value = "reading…"
    input.send(value: passport)
  }
}

let gate = Gate()
gate.verdict.producer.startWithValues { print($0) }
gate.insert(Passport(country: "NO", signature: 9292))
while gate.verdict.value == "reading…" {
  Thread.sleep(forTimeInterval: 0.02)
}
print("the gate opens")
