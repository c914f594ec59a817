// Symptom: Uploading an album never ends when one of its photos is empty. The bar stays at 80 %.
// Looks at: the upload of the album ("upload")

import Foundation

struct Photo: Sendable {
  var name: String
  var bytes: [UInt8]
}

/// A server's library from before Swift had tasks.
final class LegacyServer: Sendable {
  private let queue = DispatchQueue(label: "legacy server")

  func send(_ photo: Photo, then completion: @escaping @Sendable (Int) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.01) {
      guard !photo.bytes.isEmpty else { return }
      completion(photo.bytes.count)
    }
  }
}

struct Uploader: Sendable {
  let server = LegacyServer()

  func upload(_ photo: Photo) async -> Int {
    await withCheckedContinuation { done in  // culprit
      server.send(photo) { count in
        done.resume(returning: count)
      }
    }
  }

  func upload(album: [Photo]) async -> Int {
    var total = 0
    for photo in album {
      total += await upload(photo)
      print("uploaded \(photo.name)")
    }
    return total
  }
}

let album = (1...5).map { number in
  let size = number == 5 ? 0 : number * 100
  return Photo(name: "photo \(number)", bytes: [UInt8](repeating: 7, count: size))
}
let upload = Task(name: "upload") { await Uploader().upload(album: album) }
print("album: \(await upload.value) bytes")
