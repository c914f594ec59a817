// Symptom: I walked 23 minutes and synchronised. On the web page the last three minutes never
// appear, however long I wait.
// Looks at: uploaded (the minutes that the web page has)
import Foundation
import Varve

struct Minute: Sendable {
  let index: Int
  let steps: Int
}

final class HealthServer: Sendable {
  private let net = QueueScheduler(name: "net")

  func put(_ minutes: [Minute]) -> SignalProducer<[Minute], Never> {
    SignalProducer(value: minutes).delay(.milliseconds(10), on: net)
  }
}

final class StepSync {
  let uploaded = MutableProperty(0)
  let total = MutableProperty(0)
  private let (minutes, band) = Signal<Minute, Never>.pipe()

  init(_ server: HealthServer) {
    total <~ minutes.scan(0) { $0 + $1.steps }
    uploaded
      <~ minutes
      .skip(while: { $0.steps == 0 })
      .uniqueValues { $0.index }
      .collect(count: 5)  // culprit
      .flatMap(.concat) { server.put($0) }
      .scan(0) { $0 + $1.count }
  }

  func record(_ minute: Int, steps: Int) {
    band.send(value: Minute(index: minute, steps: steps))
  }
}

let sync = StepSync(HealthServer())
sync.uploaded.signal.named("uploaded").observeValues { print("web page: \($0) minutes") }
for minute in 1...23 {
  sync.record(minute, steps: 90 + minute * 7 % 25)
  Thread.sleep(forTimeInterval: 0.01)
}
print("(the walk is over, \(sync.total.value) steps)")
Thread.sleep(forTimeInterval: 0.3)
print("web page has \(sync.uploaded.value) of 23 minutes")
