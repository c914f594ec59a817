// Symptom: As soon as I scroll the wall of film posters, the runtime complains in purple that an
// image view was changed from a background thread.
// Looks at: the posters that are put into the wall ("poster")

import Foundation
import Varve

let ui = QueueScheduler(name: "ui")
let marker = DispatchSpecificKey<String>()
ui.queue.setSpecific(key: marker, value: "ui")

struct Poster: Sendable {
  let film: String
  let bytes: [UInt8]
}

protocol PosterSource {
  func poster(for film: String) -> SignalProducer<Poster, Never>
}

struct PosterServer: PosterSource {
  let connection = QueueScheduler(name: "connection")

  func poster(for film: String) -> SignalProducer<Poster, Never> {
    SignalProducer { observer, lifetime in
      lifetime += connection.schedule(after: .milliseconds(6)) {
        observer.send(value: Poster(film: film, bytes: Array(film.utf8)))
        observer.sendCompleted()
      }
    }
  }
}

final class PosterCell: @unchecked Sendable {
  private(set) var image: Poster?
  private(set) var complaints = 0

  func show(_ poster: Poster) {
    if DispatchQueue.getSpecific(key: marker) != "ui" { complaints += 1 }
    image = poster
  }
}

final class PosterWall {
  let cells: [PosterCell]
  private let source: any PosterSource

  init(columns: Int, source: any PosterSource) {
    cells = (0..<columns).map { _ in PosterCell() }
    self.source = source
  }

  func scroll(to films: [String]) {
    for (cell, film) in zip(cells, films) {
      source.poster(for: film)
        .filter { !$0.bytes.isEmpty }
        .start(on: ui)  // culprit
        .named("poster")
        .startWithValues { cell.show($0) }
    }
  }
}

let wall = PosterWall(columns: 4, source: PosterServer())
for page in 0..<5 {
  wall.scroll(to: (0..<4).map { "film \(page * 4 + $0)" })
  Thread.sleep(forTimeInterval: 0.05)
}
print("shown:", wall.cells.compactMap(\.image?.film).joined(separator: ", "))
print("complaints:", wall.cells.map(\.complaints).reduce(0, +))
