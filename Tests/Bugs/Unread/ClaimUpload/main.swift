// Symptom: I send the photo of the dent to my insurance. The page says "sending …", and goes on saying
// it; there is no number of a claim, and no message either.
// Looks at: the number of the claim ("receipt")

import Foundation
import Varve

struct Photo: Sendable {
  let name: String
  let kilobytes: Int
}

enum UploadError: Error {
  case tooLarge(limit: Int)
  case offline
}

final class ClaimServer: Sendable {
  private let network = QueueScheduler(name: "network")

  func upload(_ photo: Photo) -> SignalProducer<String, UploadError> {
    SignalProducer { () -> Result<String, UploadError> in
      Thread.sleep(forTimeInterval: 0.02)
      guard photo.kilobytes <= 5_000 else { return .failure(.tooLarge(limit: 5_000)) }
      return .success("SH-\(photo.kilobytes)")
    }
    .start(on: network)
  }
}

final class ClaimPage: Sendable {
  let status = MutableProperty("Choose a photo")
  private let server: ClaimServer

  init(server: ClaimServer) { self.server = server }

  func submit(_ photo: Photo) {
    status.value = "sending …"
    status
      <~ server.upload(photo)
      .flatMapError { _ in .empty }  // culprit
      .named("receipt")
      .map { "Thank you. Your claim: \($0)" }
  }
}

let page = ClaimPage(server: ClaimServer())
page.submit(Photo(name: "bumper.jpg", kilobytes: 1_840))
Thread.sleep(forTimeInterval: 0.15)
print(page.status.value)
page.submit(Photo(name: "dent.heic", kilobytes: 9_310))
for _ in 1...3 {
  Thread.sleep(forTimeInterval: 0.15)
  print(page.status.value)
}
