// Symptom: I unravel the last rows on my tablet. When I open the pattern on the phone, the rows are
// there again.
// Looks at: stored (the pattern in the cloud)
import Foundation
import Varve

struct Pattern: Sendable {
  var name: String
  var rows: [String]
}

final class Cloud: Sendable {
  let stored = MutableProperty(Pattern(name: "", rows: []), named: "stored")
  private let network = QueueScheduler(name: "network")

  /// An upload takes the longer the more there is to send.
  func put(_ pattern: Pattern) -> SignalProducer<Void, Never> {
    SignalProducer { [network, stored] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(10 + 12 * pattern.rows.count)) {
        stored.value = pattern
        observer.send(value: ())
        observer.sendCompleted()
      }
    }
  }
}

final class PatternEditor: Sendable {
  let pattern = MutableProperty(Pattern(name: "Fair Isle", rows: []))
  let uploads = MutableProperty(0)
  private let (lifetime, token) = Lifetime.make()

  init(_ cloud: Cloud) {
    pattern.signal
      .filter { !$0.name.isEmpty }
      .take(during: lifetime)
      .observeValues { [uploads] in
        cloud.put($0).startWithValues { uploads.modify { $0 += 1 } }  // culprit
      }
  }

  func knit(_ rows: String...) { pattern.modify { $0.rows += rows } }
  func unravel(_ count: Int) { pattern.modify { $0.rows.removeLast(count) } }
}

let cloud = Cloud()
let editor = PatternEditor(cloud)
cloud.stored.signal.observeValues { print("in the cloud: \($0.rows.count) rows") }
editor.knit("k2 p2", "k2 p2")
Thread.sleep(forTimeInterval: 0.15)
editor.knit("k4", "p4", "k1 p1", "k1 p1", "k4", "p4", "k2 p2", "k2 p2", "k8", "p8", "k8", "p8")
Thread.sleep(forTimeInterval: 0.005)
editor.unravel(11)
Thread.sleep(forTimeInterval: 0.5)
print("here \(editor.pattern.value.rows.count), there \(cloud.stored.value.rows.count) rows")
