// Symptom: None. Each visit of the page follows the download to its end, and leaves nothing behind.
// Looks at: percent (the bar), name (the line above)
import Foundation
import Varve

final class Downloads {
  let progress: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer
  private let network = QueueScheduler(name: "network")
  private let lock = NSLock()
  private var received = 0

  init() { (progress, input) = Signal.pipe(named: "progress") }

  var total: Int {
    lock.lock()
    defer { lock.unlock() }
    return received
  }

  func fetch(parts: Int) -> SignalProducer<Int, Never> {
    SignalProducer.interval(1...parts, interval: .milliseconds(8), on: network)
      .map { 100 * $0 / parts }
      .on(value: { [self] percent in
        lock.lock()
        received += 1
        lock.unlock()
        input.send(value: percent)
      })
  }
}

final class Header: Sendable {
  let name = MutableProperty("")
  let seconds = MutableProperty(0)
}

final class DownloadPage {
  static var open = 0
  let percent = MutableProperty(0)
  let parts = MutableProperty(0)
  private let lifetime: Lifetime
  private let token: Lifetime.Token

  init(_ name: String, _ downloads: Downloads, header: Header, clock: any TimedScheduler) {
    (lifetime, token) = Lifetime.make()
    Self.open += 1
    header.name.value = name
    header.seconds
      <~ SignalProducer.interval(0..., interval: .milliseconds(15), on: clock)
      .take(during: lifetime)
    // Up to the 100 and with it.
    percent
      <~ downloads.progress
      .take(until: { $0 < 100 })
      .skipRepeats()
    parts <~ downloads.progress.map { _ in downloads.total }
  }

  deinit { Self.open -= 1 }
}

let header = Header()
let clock = QueueScheduler(name: "clock")
header.name.signal.named("name").observeValues { print($0) }
for (number, name) in ["Maps", "Phrase book", "Games"].enumerated() {
  let downloads = Downloads()
  let page = DownloadPage(name, downloads, header: header, clock: clock)
  page.percent.signal.filter { $0.isMultiple(of: 50) }.named("percent")
    .observeValues { print("\($0) %") }
  let loading = downloads.fetch(parts: 10 + number).start()
  Thread.sleep(forTimeInterval: 0.22)
  loading.dispose()
  print("\(page.percent.value) %, \(page.parts.value) parts, pages: \(DownloadPage.open)")
}
let seconds = header.seconds.value
Thread.sleep(forTimeInterval: 0.05)
print(header.seconds.value == seconds ? "the clock rests" : "the clock runs on")
