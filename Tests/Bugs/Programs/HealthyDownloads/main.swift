// Symptom: None; this works.
// Looks at: the files that have been downloaded ("done")

import Foundation
import Varve

enum DownloadError: Error {
  case timedOut
  case gone
}

final class FileServer {
  private let queue = QueueScheduler(name: "network")
  private var attempts: [String: Int] = [:]

  func download(_ file: String) -> SignalProducer<Int, DownloadError> {
    SignalProducer { [self] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(8)) { [self] in
        attempts[file, default: 0] += 1
        if file.hasPrefix("old") {
          observer.send(error: .gone)
        } else if file.hasSuffix("2") && attempts[file]! < 3 {
          observer.send(error: .timedOut)
        } else {
          observer.send(value: 1_000 * file.count)
          observer.sendCompleted()
        }
      }
    }
  }
}

enum Row {
  case done(file: String, bytes: Int)
  case failed(file: String)
}

final class DownloadManager {
  let rows = MutableProperty<[Row]>([])
  private let clock = QueueScheduler(name: "clock")

  func download(_ files: [String], from server: FileServer) {
    rows
      <~ SignalProducer<String, Never>(files)
      .flatMap(.concurrent(limit: 3)) { [clock] file in
        server.download(file)
          .retry(upTo: 3, interval: .milliseconds(20), on: clock)
          .map { Row.done(file: file, bytes: $0) }
          .flatMapError { _ in SignalProducer(value: .failed(file: file)) }
      }
      .named("done")
      .scan([Row]()) { $0 + [$1] }
  }
}

let manager = DownloadManager()
manager.download((1...12).map { $0 == 7 ? "old film" : "film\($0)" }, from: FileServer())
Thread.sleep(forTimeInterval: 0.8)
for row in manager.rows.value {
  switch row {
  case .done(let file, let bytes): print("\(file): \(bytes) bytes")
  case .failed(let file): print("\(file): not there any more")
  }
}
