// Symptom: When I scroll quickly through the photos, thumbnails appear under the wrong name; the
// further I scroll, the more names they are off.
// Looks at: the cells with name and thumbnail ("cells")

import Foundation
import Varve

struct Thumbnail: Equatable {
  var file: String
}

final class ThumbnailMaker {
  let made: Signal<Thumbnail, Never>
  private let input: Signal<Thumbnail, Never>.Observer
  private let queue = QueueScheduler(name: "thumbnails")

  init() { (made, input) = Signal.pipe() }

  func make(_ file: String) {
    queue.schedule(after: .milliseconds(2)) { [input] in
      guard !file.hasSuffix(".raw") else { return }
      input.send(value: Thumbnail(file: file))
    }
  }
}

final class StripModel {
  private(set) var cells: [(name: String, thumbnail: Thumbnail)] = []
  private let scrolled: Signal<String, Never>
  private let input: Signal<String, Never>.Observer

  init(maker: ThumbnailMaker) {
    (scrolled, input) = Signal.pipe()
    scrolled
      .zip(with: maker.made)  // culprit
      .named("cells")
      .observeValues { [unowned self] name, thumbnail in cells.append((name, thumbnail)) }
    scrolled.observeValues { maker.make($0) }
  }

  func scroll(to file: String) { input.send(value: file) }
}

let model = StripModel(maker: ThumbnailMaker())
for number in 0..<180 {
  model.scroll(to: number % 3 == 2 ? "P\(number).raw" : "P\(number).jpg")
  Thread.sleep(forTimeInterval: 0.005)
}
Thread.sleep(forTimeInterval: 0.1)
let wrong = model.cells.filter { $0.name != $0.thumbnail.file }.count
print("\(model.cells.count) cells, \(wrong) with the wrong thumbnail")
if let last = model.cells.last { print("last: \(last.name) shows \(last.thumbnail.file)") }
