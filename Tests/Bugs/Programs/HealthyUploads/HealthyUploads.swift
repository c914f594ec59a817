// Symptom: None. All pictures go up, two at a time; what fails once is tried again.
// Looks at: done (the number below the list)
import Foundation
import Varve

enum UploadError: Error {
  case busy
}

final class Server: Sendable {
  private let network = QueueScheduler(name: "network")
  private let refused = MutableProperty<Set<String>>([])

  func upload(_ file: String) -> SignalProducer<String, UploadError> {
    SignalProducer { [network, refused] observer, lifetime in
      lifetime += network.schedule(after: .milliseconds(15)) {
        let isFirst = refused.modify { $0.insert(file).inserted }
        if isFirst && file.hasPrefix("large") {
          observer.send(error: .busy)
        } else {
          observer.send(value: file)
          observer.sendCompleted()
        }
      }
    }
  }
}

final class Album {
  let done: Property<Int>
  let failures = MutableProperty<[String]>([])

  init(_ files: [String], to server: Server, on timers: any TimedScheduler) {
    done = Property(
      initial: 0,
      then: SignalProducer(files)
        .flatMap(.concurrent(limit: 2)) { [failures] file in
          server.upload(file)
            .retry(upTo: 3, interval: .milliseconds(10), on: timers)
            .flatMapError { error in
              failures.modify { $0.append("\(file): \(error)") }
              return SignalProducer<String, Never>.empty
            }
        }
        .scan(0) { count, _ in count + 1 })
  }
}

let files = ["small-1.jpg", "large-1.jpg", "small-2.jpg", "large-2.jpg", "small-3.jpg"]
let album = Album(files, to: Server(), on: QueueScheduler(name: "timers"))
album.done.producer.named("done").startWithValues { print("\($0) of \(files.count)") }
album.failures.signal.observeValues { print("failed: \($0)") }
Thread.sleep(forTimeInterval: 0.5)
