// Symptom: The clip arrives at 100 %, and the sheet "uploading" does not close.
// Looks at: the sheet ("upload")

import Foundation

actor ClipServer {
  private(set) var received = 0

  func receive(_ part: Int) async {
    try? await Task.sleep(for: .milliseconds(8))
    received += part
  }
}

struct Uploader: Sendable {
  let server = ClipServer()
  let size = 4_000

  private func sendParts() async {
    for _ in 0..<8 { await server.receive(size / 8) }
  }

  private func showProgress() async {
    while !Task.isCancelled {
      print("\(await server.received * 100 / size) %")
      try? await Task.sleep(for: .milliseconds(25))
    }
  }

  func upload() async -> Int {
    await withTaskGroup { group in
      group.addTask(name: "progress") { await showProgress() }
      group.addTask(name: "parts") { await sendParts() }
      await group.waitForAll()  // culprit
    }
    return await server.received
  }
}

@MainActor
final class UploadSheet {
  private(set) var isOpen = true

  func run() async {
    let bytes = await Uploader().upload()
    print("\(bytes) bytes")
    isOpen = false
  }
}

let sheet = UploadSheet()
let upload = Task(name: "upload") { await sheet.run() }
await upload.value
print("closed")
