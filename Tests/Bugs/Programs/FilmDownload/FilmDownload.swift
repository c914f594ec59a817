// Symptom: The film is on my tablet and can be played, but the bar below it stands at 90 % and the
// badge “new” does not appear.
// Looks at: percent (the bar below the film)
import Foundation
import Varve

struct Progress {
  let received: Int
  let total: Int

  var percent: Int { 100 * received / total }
  var isComplete: Bool { received == total }
}

final class FilmServer {
  let parts: Signal<Progress, Never>
  private let input: Signal<Progress, Never>.Observer
  private let network = QueueScheduler(name: "films")

  init() { (parts, input) = Signal.pipe(named: "parts") }

  func send(parts count: Int) {
    for part in 1...count {
      network.schedule(after: .milliseconds(20 * part)) { [input] in
        input.send(value: Progress(received: part, total: count))
      }
    }
  }
}

final class FilmCell {
  let percent = MutableProperty(0)
  let isNew = MutableProperty(false)
  let canPlay = MutableProperty(false)

  init(_ server: FilmServer) {
    percent
      <~ server.parts
      .take(while: { !$0.isComplete })  // culprit
      .map(\.percent)
      .skipRepeats()
    isNew <~ percent.signal.map { $0 == 100 }.skipRepeats()
    canPlay <~ server.parts.filter(\.isComplete).map(value: true)
  }
}

let server = FilmServer()
let cell = FilmCell(server)
cell.percent.signal.named("percent").observeValues { print("\($0) %") }
cell.canPlay.signal.observeValues { print($0 ? "ready to play" : "not yet") }
server.send(parts: 10)
Thread.sleep(forTimeInterval: 0.35)
print("bar: \(cell.percent.value) %, new: \(cell.isNew.value), can play: \(cell.canPlay.value)")
