// Symptom: I chose “hide screenshots”. Now the picker shows nothing but screenshots.
// Looks at: grid (the pictures in the picker)
import Foundation
import Varve

struct Photo {
  let file: String
  let width: Int
  let height: Int
  var isScreenshot: Bool { file.hasPrefix("Screenshot") }
}

final class Library {
  let photos: [Photo] = [
    Photo(file: "IMG_0012.heic", width: 4032, height: 3024),
    Photo(file: "Screenshot 3.png", width: 1170, height: 2532),
    Photo(file: "IMG_0013.heic", width: 4032, height: 3024),
    Photo(file: "thumb.db", width: 0, height: 0),
    Photo(file: "IMG_0017.heic", width: 3024, height: 4032),
    Photo(file: "Screenshot 4.png", width: 1170, height: 2532),
  ]

  func load(on scheduler: any TimedScheduler) -> SignalProducer<Photo, Never> {
    SignalProducer.interval(photos, interval: .milliseconds(5), on: scheduler)
  }
}

final class Picker {
  let hidesScreenshots = MutableProperty(false)
  let grid: Property<[String]>

  init(_ library: Library, on scheduler: any TimedScheduler) {
    grid = Property(
      initial: [],
      then: hidesScreenshots.producer.flatMap(.latest) { hides in
        library.load(on: scheduler)
          .filter { $0.width > 0 }
          .filter { !hides || $0.isScreenshot }  // culprit
          .map { $0.file }
          .collect()
      })
  }
}

let picker = Picker(Library(), on: QueueScheduler(name: "photos"))
picker.grid.signal.named("grid").observeValues { print($0) }
Thread.sleep(forTimeInterval: 0.15)
picker.hidesScreenshots.value = true
Thread.sleep(forTimeInterval: 0.2)
