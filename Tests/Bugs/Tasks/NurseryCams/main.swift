// Symptom: Each time I look at a camera of the nursery and close it, the phone uses more data. After ten
// looks it downloads pictures all the time, with no camera open.
// Looks at: what loads the pictures of a camera ("camera")

import Foundation

struct Snapshot: Sendable {
  let room: String
  let number: Int
}

actor CameraServer {
  private(set) var downloads = 0

  func snapshot(of room: String) async -> Snapshot {
    try? await Task.sleep(for: .milliseconds(4))
    downloads += 1
    return Snapshot(room: room, number: downloads)
  }
}

@MainActor
protocol Panel: AnyObject {
  func open()
  func close()
}

@MainActor
final class CameraModel: Panel {
  let room: String
  private(set) var shown: Snapshot?
  private let server: CameraServer

  init(room: String, server: CameraServer) {
    self.room = room
    self.server = server
  }

  func open() {
    Task(name: "camera") {  // culprit
      while !Task.isCancelled {
        shown = await server.snapshot(of: room)
        try? await Task.sleep(for: .milliseconds(15))
      }
    }
  }

  func close() { shown = nil }
}

@MainActor
final class PanelHost {
  private var current: (any Panel)?

  func present(_ panel: any Panel) {
    dismiss()
    current = panel
    panel.open()
  }

  func dismiss() {
    current?.close()
    current = nil
  }
}

let server = CameraServer()
let host = PanelHost()
for room in ["Frogs", "Bears", "Sleeping room", "Garden", "Frogs", "Bears", "Kitchen", "Garden"] {
  host.present(CameraModel(room: room, server: server))
  try await Task.sleep(for: .milliseconds(80))
  host.dismiss()
  let before = await server.downloads
  try await Task.sleep(for: .milliseconds(80))
  print("\(room) closed: \(await server.downloads - before) pictures since")
}
