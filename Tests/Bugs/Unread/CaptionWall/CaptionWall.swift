// Symptom: On the wall of our family party, after a while the captions stand below the wrong
// photographs.
// Looks at: tiles (the photographs with their captions)
import Foundation
import Varve

struct Upload: Sendable {
  let file: String
  let caption: String
}

struct Photo: Sendable {
  let file: String
  let width: Int
}

final class PartyServer: Sendable {
  let photos: Signal<Photo, Never>
  let captions: Signal<String, Never>
  private let photoInput: Signal<Photo, Never>.Observer
  private let captionInput: Signal<String, Never>.Observer

  init() {
    (photos, photoInput) = Signal.pipe()
    (captions, captionInput) = Signal.pipe()
  }

  func receive(_ upload: Upload) {
    photoInput.send(value: Photo(file: upload.file, width: 800 + upload.file.count))
    if !upload.caption.isEmpty { captionInput.send(value: upload.caption) }
  }
}

final class Wall {
  let tiles = MutableProperty<[String]>([])

  init(_ server: PartyServer, on screen: QueueScheduler) {
    tiles
      <~ server.photos
      .filter { $0.width > 640 }
      .map { $0.file.replacingOccurrences(of: ".jpg", with: "") }
      .zip(with: server.captions.map { $0.trimmingCharacters(in: .whitespaces) })  // culprit
      .map { "\($0): \($1)" }
      .observe(on: screen)
      .scan(into: [String]()) { $0.append($1) }
  }
}

let server = PartyServer()
let wall = Wall(server, on: QueueScheduler(name: "screen"))
wall.tiles.signal.named("tiles").observeValues { print($0.last ?? "") }
let uploads = [
  ("cake.jpg", "The cake!"), ("grandma.jpg", "Grandma is 80"), ("dog.jpg", ""),
  ("speech.jpg", "Uncle Ben speaks "), ("dance.jpg", "They dance"), ("garden.jpg", ""),
  ("sparklers.jpg", "Good night"), ("taxi.jpg", " The last ones"),
]
for (file, caption) in uploads {
  server.receive(Upload(file: file, caption: caption))
  Thread.sleep(forTimeInterval: 0.02)
}
Thread.sleep(forTimeInterval: 0.1)
print(wall.tiles.value.contains("taxi: The last ones") ? "right" : "captions are wrong")
