// Symptom: Each sketch that I open and close again makes the app bigger. After an afternoon it has taken
// all the memory of my tablet.
// Looks at: strokes (the drawing)
import Foundation
import Varve

struct Stroke {
  let color: String
  let points: [Int]
}

final class Gallery: Sendable {
  let pictures = MutableProperty<[String: Int]>([:])
  private let disk = QueueScheduler(name: "disk")

  func keep(_ picture: Data, as name: String) -> SignalProducer<Int, Never> {
    SignalProducer { [pictures] in
      pictures.modify { $0[name] = picture.count }
      return picture.count
    }
    .start(on: disk)
  }
}

final class SketchEditor {
  static var open = 0

  let strokes = MutableProperty<[Stroke]>([])
  lazy var export = Action<String, Int, Never>(state: strokes) { strokes, name in  // culprit
    self.gallery.keep(self.render(strokes), as: name)
  }
  private let gallery: Gallery
  private var canvas = Data(count: 512 * 512)

  init(_ gallery: Gallery) {
    self.gallery = gallery
    Self.open += 1
  }

  deinit { Self.open -= 1 }

  func draw(_ stroke: Stroke) { strokes.modify { $0.append(stroke) } }

  private func render(_ strokes: [Stroke]) -> Data {
    for stroke in strokes {
      for point in stroke.points { canvas[point % canvas.count] = 255 }
    }
    return canvas
  }
}

let gallery = Gallery()
gallery.pictures.signal.named("pictures").observeValues { print("\($0.count) in the gallery") }
for number in 1...15 {
  let editor = SketchEditor(gallery)
  editor.strokes.signal.named("strokes").observeValues { _ in }
  for line in 0..<4 {
    editor.draw(Stroke(color: "blue", points: (0..<50).map { $0 * 512 + line * number }))
  }
  editor.export.apply("sketch \(number)").start()
  Thread.sleep(forTimeInterval: 0.02)
}
print("sketches still in memory: \(SketchEditor.open)")
