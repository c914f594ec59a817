// Symptom: None. Every photograph hangs above its own caption, though the printer of captions is the
// slower one.
// Looks at: frames (what hangs on the wall)
import Foundation
import Varve

struct Work: Sendable {
  let number: Int
  let title: String
}

final class Workshop {
  private let lab = QueueScheduler(name: "lab")
  private let press = QueueScheduler(name: "press")

  func enlarge(_ works: Signal<Work, Never>) -> Signal<Int, Never> {
    works.map { $0.number }.observe(on: lab)
  }

  func letter(_ works: Signal<Work, Never>) -> Signal<String, Never> {
    works.map { "“\($0.title)”" }.delay(.milliseconds(60), on: press)
  }
}

final class Exhibition {
  let frames = MutableProperty<[String]>([])
  private let (works, hang) = Signal<Work, Never>.pipe()

  init(_ workshop: Workshop, on wall: QueueScheduler) {
    frames
      <~ Signal.zip(workshop.enlarge(works), workshop.letter(works))
      .map { number, caption in "\(number) \(caption)" }
      .observe(on: wall)
      .scan(into: [String]()) { $0.append($1) }
  }

  func add(_ number: Int, _ title: String) { hang.send(value: Work(number: number, title: title)) }
}

let exhibition = Exhibition(Workshop(), on: QueueScheduler(name: "wall"))
exhibition.frames.signal.named("frames").observeValues { print($0.last ?? "") }
let titles = ["Harbour", "Two Gulls", "Rain", "The Crane", "Ropes", "Dusk"]
for (number, title) in titles.enumerated() {
  exhibition.add(number, title)
  Thread.sleep(forTimeInterval: 0.02)
}
Thread.sleep(forTimeInterval: 0.2)
let right = titles.enumerated().map { "\($0.offset) “\($0.element)”" }
print(exhibition.frames.value == right ? "right" : "wrong")
