// Symptom: None. Each pose has its own gong, and several may sound at a time; they all end.
// Looks at: gongs (the strokes that one hears)
import Foundation
import Varve

struct Pose: Sendable {
  let name: String
  let strokes: Int
}

final class Studio {
  let gongs = MutableProperty<[String]>([])
  let sounding = MutableProperty(0)
  private let (poses, begin) = Signal<Pose, Never>.pipe()

  init(on bell: QueueScheduler) {
    gongs
      <~ poses
      .filter { $0.strokes > 0 }
      .flatMap(.merge) { [sounding] pose in
        SignalProducer.interval(.milliseconds(20), on: bell)
          .take(first: pose.strokes)
          .map { "\(pose.name) \($0 + 1)" }
          .on(
            started: { sounding.modify { $0 += 1 } },
            terminated: { sounding.modify { $0 -= 1 } })
      }
      .scan(into: [String]()) { $0.append($1) }
  }

  func pose(_ name: String, strokes: Int) { begin.send(value: Pose(name: name, strokes: strokes)) }
}

let studio = Studio(on: QueueScheduler(name: "bell"))
studio.gongs.signal.named("gongs").observeValues { print($0.last ?? "") }
studio.pose("tree", strokes: 5)
Thread.sleep(forTimeInterval: 0.05)
studio.pose("cobra", strokes: 3)
Thread.sleep(forTimeInterval: 0.03)
studio.pose("rest", strokes: 0)
studio.pose("bridge", strokes: 4)
Thread.sleep(forTimeInterval: 0.3)
print(studio.gongs.value.count == 12 && studio.sounding.value == 0 ? "right" : "wrong")
