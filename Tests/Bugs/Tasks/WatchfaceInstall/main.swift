// Symptom: The watch has its new face at 100 %, but the sheet "Installing" does not close.
// Looks at: the installation ("install")

import Foundation

actor Watch {
  private(set) var received = 0

  func transfer(_ face: [UInt8]) async -> Int {
    let step = face.count / 10
    while received < face.count {
      try? await Task.sleep(for: .milliseconds(15))
      received = min(received + step, face.count)
    }
    return received
  }
}

/// The bar of the sheet.
@MainActor
final class ProgressBar {
  private var percent = -1

  func show(_ percent: Int) {
    guard percent != self.percent else { return }
    self.percent = percent
    print("Installing: \(percent) %")
  }
}

func install(_ face: [UInt8], on watch: Watch, bar: ProgressBar) async -> Int {
  await withTaskGroup(of: Int.self) { group in
    group.addTask(name: "progress") {
      while !Task.isCancelled {
        await bar.show(watch.received * 100 / face.count)
        try? await Task.sleep(for: .milliseconds(30))
      }
      return 0
    }
    group.addTask(name: "transfer") {
      await watch.transfer(face)
    }
    return await group.next() ?? 0  // culprit
  }
}

let watch = Watch()
let bar = ProgressBar()
let installation = Task(name: "install") {
  await install([UInt8](repeating: 7, count: 5_000), on: watch, bar: bar)
}
print("Installed \(await installation.value) bytes")
