// Symptom: The practice's server is often busy for a blink. The app is to try again, but it says "no
// record" after a moment, and the server has seen one request alone.
// Looks at: record (the record of the patient)
import Foundation
import Varve

enum PracticeError: Error {
  case busy
}

struct Record: Sendable {
  let patient: String
  let fillings: Int
}

final class Practice: Sendable {
  private let visits = MutableProperty(0)
  private let network = QueueScheduler(name: "network")

  func record(of patient: String) -> SignalProducer<Record, PracticeError> {
    SignalProducer { [visits] () -> Result<Record, PracticeError> in
      visits.value += 1
      print("asked the server: \(visits.value)")
      return visits.value < 2 ? .failure(.busy) : .success(Record(patient: patient, fillings: 3))
    }
    .start(on: network)
  }
}

final class RecordModel: Sendable {
  let title = MutableProperty("…")
  private let practice: Practice
  private let clock = QueueScheduler(name: "clock")

  init(_ practice: Practice) { self.practice = practice }

  /// The record is shown by the header and by the chart.
  func open(_ patient: String) {
    let record = practice.record(of: patient)
      .on(failed: { _ in print("the server is busy") })
      .replayLazily(upTo: 1)  // culprit
      .retry(upTo: 3, interval: .milliseconds(50), on: clock)
      .named("record")
    title
      <~ record
      .map { "\($0.patient), \($0.fillings) fillings" }
      .flatMapError { _ in SignalProducer(value: "no record") }
  }
}

let model = RecordModel(Practice())
model.title.signal.observeValues { print("title: \($0)") }
model.open("Ms. Ahrens")
Thread.sleep(forTimeInterval: 0.5)
print("shown: \(model.title.value)")
