// Symptom: I picked a new picture and the spinner beside my name turns for ever. No message says
// that anything went wrong.
// Looks at: the upload of the picture ("upload")

import Foundation
import Varve

enum UploadError: Error {
  case tooLarge(limit: Int)
  case connectionLost
}

struct Picture {
  var name: String
  var bytes: Int
}

final class ProfileServer {
  private let queue = QueueScheduler(name: "network")
  private let limit = 500_000

  func upload(_ picture: Picture) -> SignalProducer<Int, UploadError> {
    SignalProducer { [queue, limit] observer, lifetime in
      for step in 1...5 {
        lifetime += queue.schedule(after: .milliseconds(20 * step)) {
          let sent = picture.bytes * step / 5
          guard sent <= limit else {
            observer.send(error: .tooLarge(limit: limit))
            return
          }
          observer.send(value: sent)
          if step == 5 { observer.sendCompleted() }
        }
      }
    }
  }
}

final class ProfileModel {
  let isSpinning = MutableProperty(false)
  let percent = MutableProperty(0)
  private let server = ProfileServer()

  func choose(_ picture: Picture) {
    isSpinning.value = true
    let observer = Signal<Int, UploadError>.Observer(
      value: { [percent] in percent.value = $0 * 100 / picture.bytes },
      completed: { [isSpinning] in isSpinning.value = false })
    server.upload(picture).named("upload").start(observer)  // culprit
  }
}

let profile = ProfileModel()
profile.choose(Picture(name: "small.jpg", bytes: 80_000))
Thread.sleep(forTimeInterval: 0.3)
profile.choose(Picture(name: "beach.jpg", bytes: 900_000))
Thread.sleep(forTimeInterval: 0.6)
print("\(profile.percent.value) %, spinning: \(profile.isSpinning.value)")
