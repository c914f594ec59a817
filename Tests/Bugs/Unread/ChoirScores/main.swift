// Symptom: I choose the Requiem, and the page stays white. No message, no spinner, nothing.
// Looks at: pages (the page on the stand)
import Foundation
import Varve

enum ArchiveError: Error {
  case notLicensed(String)
  case offline
}

final class Archive: Sendable {
  private let queue = QueueScheduler(name: "archive")

  func pages(of piece: String) -> SignalProducer<[String], ArchiveError> {
    SignalProducer { [queue] observer, lifetime in
      lifetime += queue.schedule(after: .milliseconds(20)) {
        if piece == "Requiem" { return observer.send(error: .notLicensed(piece)) }
        observer.send(value: (1...3).map { "\(piece), page \($0)" })
        observer.sendCompleted()
      }
    }
  }
}

final class MusicStand {
  let piece = MutableProperty("")
  let pages: Property<[String]>

  init(_ archive: Archive) {
    pages = Property(
      initial: [],
      then: piece.signal
        .flatMap(.latest) { piece in
          archive.pages(of: piece)
            .flatMapError { _ in SignalProducer<[String], Never>.empty }  // culprit
            .prefix(value: [])
        }
        .named("pages"))
  }
}

let stand = MusicStand(Archive())
stand.pages.signal.observeValues { print($0.first ?? "(white)") }
for piece in ["Magnificat", "Ave verum", "Requiem"] {
  stand.piece.value = piece
  Thread.sleep(forTimeInterval: 0.12)
}
print("on the stand: \(stand.pages.value)")
