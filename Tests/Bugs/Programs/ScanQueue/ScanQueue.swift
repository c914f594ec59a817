// Symptom: I cancel a scan. The lamp goes out, but the spinner in the window goes on turning.
// Looks at: busy (whether the spinner turns)
import Foundation
import Varve

struct ScannedPage {
  let number: Int
  let dots: Int
}

final class Scanner: Sendable {
  let lamp = MutableProperty(false)
  private let clock = QueueScheduler(name: "scanner")

  func scan(pages: Int, dots: Int) -> SignalProducer<ScannedPage, Never> {
    SignalProducer.interval(1...pages, interval: .milliseconds(40), on: clock)
      .map { ScannedPage(number: $0, dots: dots) }
      .on(starting: { [lamp] in lamp.value = true }, disposed: { [lamp] in lamp.value = false })
  }
}

final class ScanModel {
  let busy = MutableProperty(false)
  let pages = MutableProperty<[ScannedPage]>([])
  private let scanner: Scanner
  private let scan = SerialDisposable()

  init(_ scanner: Scanner) { self.scanner = scanner }

  func start(pages count: Int) {
    pages.value = []
    scan.inner = scanner.scan(pages: count, dots: 300)
      .on(
        starting: { [busy] in busy.value = true },
        completed: { [busy] in busy.value = false }  // culprit
      )
      .startWithValues { [pages] page in pages.modify { $0.append(page) } }
  }

  func cancel() { scan.inner = nil }
}

final class ScanWindow {
  private let model: ScanModel

  init(_ model: ScanModel) {
    self.model = model
    model.busy.signal.named("busy").observeValues { print($0 ? "spinner turns" : "spinner rests") }
    model.pages.signal.observeValues { if let page = $0.last { print("page \(page.number)") } }
  }

  func pressScan() { model.start(pages: 3) }
  func pressCancel() { model.cancel() }
}

let scanner = Scanner()
let model = ScanModel(scanner)
let window = ScanWindow(model)
window.pressScan()
Thread.sleep(forTimeInterval: 0.25)
window.pressScan()
Thread.sleep(forTimeInterval: 0.06)
window.pressCancel()
Thread.sleep(forTimeInterval: 0.1)
print("lamp: \(scanner.lamp.value), spinner: \(model.busy.value)")
