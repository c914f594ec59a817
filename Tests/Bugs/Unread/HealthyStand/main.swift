// Symptom: None. Sheets are opened and closed, and the pedal turns the pages of the open one.
// Looks at: the pedal that turns the pages ("pedal")
import Foundation
import Varve

final class FootSwitch {
  let presses: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() { (presses, input) = Signal.pipe(named: "pedal") }

  func press() { input.send(value: 1) }
}

final class Sheet {
  let title: String
  let page = MutableProperty(0)
  private var disposable: Disposable?

  init(title: String, pages count: Int, pedal: FootSwitch) {
    self.title = title
    disposable = pedal.presses.observeValues { [weak self] step in
      self?.page.modify { $0 = min($0 + step, count - 1) }
    }
  }

  deinit { disposable?.dispose() }
}

final class MusicStand {
  private let pedal: FootSwitch
  let sheet = MutableProperty<Sheet?>(nil)

  init(pedal: FootSwitch) { self.pedal = pedal }

  func open(_ title: String) { sheet.value = Sheet(title: title, pages: 4, pedal: pedal) }
}

let pedal = FootSwitch()
let stand = MusicStand(pedal: pedal)
let page = stand.sheet.producer
  .skipNil()
  .flatMap(.latest) { $0.page.producer }
  .named("page")
page.startWithValues { print("page \($0 + 1)") }
for number in 1...12 {
  stand.open("Song \(number)")
  for _ in 0..<3 {
    pedal.press()
    Thread.sleep(forTimeInterval: 0.004)
  }
}
print("on the stand: \(stand.sheet.value?.title ?? "nothing")")
