// Symptom: Now and then the app crashes when I leaf through the photos of a hike. The report says
// that the picture view was changed on a thread other than its own.
// Looks at: photo (the picture on the screen)
import Foundation
import Varve

let ui = QueueScheduler(name: "ui")
let uiKey = DispatchSpecificKey<Bool>()
ui.queue.setSpecific(key: uiKey, value: true)

struct Photo: Sendable {
  let number: Int
  let pixels: [UInt8]
}

final class Album: Sendable {
  private let disk = QueueScheduler(name: "disk")

  func photo(_ number: Int) -> SignalProducer<Photo, Never> {
    SignalProducer { () -> Result<Photo, Never> in
      Thread.sleep(forTimeInterval: 0.005)
      return .success(Photo(number: number, pixels: Array(repeating: UInt8(number), count: 64)))
    }
    .start(on: disk)
  }
}

final class PictureView {
  private(set) var shown = 0
  private(set) var violations = 0

  func show(_ photo: Photo) {
    if DispatchQueue.getSpecific(key: uiKey) == nil { violations += 1 }
    shown += 1
  }
}

final class AlbumScreen {
  let page = MutableProperty(1)
  let view = PictureView()
  private let album: Album

  init(_ album: Album) { self.album = album }

  func appear() {
    page.producer
      .skipRepeats()
      .observe(on: ui)
      .flatMap(.latest) { [album] in album.photo($0) }  // culprit
      .named("photo")
      .startWithValues { [view] in view.show($0) }
  }
}

let screen = AlbumScreen(Album())
screen.appear()
for page in 2...9 {
  Thread.sleep(forTimeInterval: 0.05)
  screen.page.value = page
}
Thread.sleep(forTimeInterval: 0.1)
print("\(screen.view.shown) pictures, \(screen.view.violations) on another thread")
