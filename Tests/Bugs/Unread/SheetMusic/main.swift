// Symptom: I leaf through the song book during rehearsal. After an hour the tablet is slow, and then
// the app is killed for its memory, though only one sheet is ever open.
// Looks at: the pedal that turns the pages ("pedal")
import Foundation
import Varve

enum Pedal {
  case next
  case back
}

final class FootSwitch {
  let presses: Signal<Pedal, Never>
  private let input: Signal<Pedal, Never>.Observer

  init() { (presses, input) = Signal.pipe(named: "pedal") }

  func press(_ pedal: Pedal) { input.send(value: pedal) }
}

final class Sheet {
  let title: String
  private let pages: [Data]
  private(set) var page = 0
  private var disposable: Disposable?

  init(title: String, pages count: Int, pedal: FootSwitch) {
    self.title = title
    pages = (0..<count).map { _ in Data(count: 50_000) }
    disposable = pedal.presses
      .map { $0 == .next ? 1 : -1 }
      .observeValues { step in  // culprit
        self.page = min(max(self.page + step, 0), self.pages.count - 1)
        self.draw()
      }
  }

  private func draw() { _ = pages[page].count }

  deinit { disposable?.dispose() }
}

final class MusicStand {
  private let pedal: FootSwitch
  private(set) var sheet: Sheet?

  init(pedal: FootSwitch) { self.pedal = pedal }

  func open(_ title: String) { sheet = Sheet(title: title, pages: 4, pedal: pedal) }
}

let pedal = FootSwitch()
let stand = MusicStand(pedal: pedal)
for number in 1...40 {
  stand.open("Song \(number)")
  for _ in 0..<4 {
    pedal.press(.next)
    Thread.sleep(forTimeInterval: 0.004)
  }
}
print("on the stand: \(stand.sheet?.title ?? "nothing"), page \((stand.sheet?.page ?? 0) + 1)")
