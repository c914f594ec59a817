// Symptom: I attached a video to my post. The bar stays at “uploading…” for ever, and I am never told
// that something is wrong. Smaller files are fine.
// Looks at: status (what stands beside the attachment)
import Foundation
import Varve

struct Attachment {
  let name: String
  let megabytes: Int
}

enum UploadError: Error {
  case offline
  case tooLarge(limit: Int)
}

final class MediaServer: Sendable {
  private let queue = QueueScheduler(name: "media")

  func put(_ file: Attachment) -> SignalProducer<String, UploadError> {
    SignalProducer { [queue] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(15)) {
        if file.megabytes > 25 {
          observer.send(error: .tooLarge(limit: 25))
        } else {
          observer.send(value: "media/\(file.name)")
          observer.sendCompleted()
        }
      }
    }
  }
}

final class Composer {
  let status = MutableProperty("")
  private let server = MediaServer()

  func attach(_ file: Attachment) {
    status.value = "\(file.name): uploading…"
    server.put(file)
      .retry()  // culprit
      .startWithResult { [status] result in
        switch result {
        case .success(let path): status.value = "\(file.name): \(path)"
        case .failure(.offline): status.value = "\(file.name): you are offline"
        case .failure(.tooLarge(let limit)): status.value = "\(file.name): more than \(limit) MB"
        }
      }
  }
}

let composer = Composer()
composer.status.signal.named("status").observeValues { print($0) }
composer.attach(Attachment(name: "cat.jpg", megabytes: 2))
Thread.sleep(forTimeInterval: 0.1)
composer.attach(Attachment(name: "birthday.mov", megabytes: 180))
Thread.sleep(forTimeInterval: 0.6)
