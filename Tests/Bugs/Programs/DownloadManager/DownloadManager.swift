// Symptom: I downloaded three albums at the same time. When the first was complete, the bars of the
// other two stopped where they were, though I had cancelled nothing.
// Looks at: progress (the bars in the list)
import Foundation
import Varve

final class Download {
  let title: String
  let progress = MutableProperty(0)
  let cancelled: Signal<Void, Never>
  let cancelInput: Signal<Void, Never>.Observer

  init(_ title: String) {
    self.title = title
    (cancelled, cancelInput) = Signal<Void, Never>.pipe()
  }
}

final class DownloadManager {
  private let network = QueueScheduler(name: "network")
  private let (finished, finishedInput) = Signal<String, Never>.pipe()
  private(set) var downloads: [Download] = []

  /// Loads `parts` parts, one every 20 ms.
  func start(_ title: String, parts: Int) {
    let download = Download(title)
    downloads.append(download)
    download.progress
      <~ SignalProducer.interval(1...parts, interval: .milliseconds(20), on: network)
      .on(completed: { [finishedInput] in finishedInput.send(value: title) })
      .take(until: Signal.merge(download.cancelled, finished.map { _ in () }))  // culprit
      .map { 100 * $0 / parts }
  }

  func cancel(_ title: String) {
    downloads.first { $0.title == title }?.cancelInput.send(value: ())
  }
}

let manager = DownloadManager()
manager.start("Blue", parts: 5)
manager.start("Hejira", parts: 9)
manager.start("Mingus", parts: 12)
for download in manager.downloads {
  download.progress.signal.observeValues { print("\(download.title): \($0) %") }
}
Thread.sleep(forTimeInterval: 0.5)
for download in manager.downloads {
  print("\(download.title) ended at \(download.progress.value) %")
}
