// Symptom: None; this works.
// Looks at: the bar ("bar")

import Foundation

/// An upload that tells how far it is. Of that, only the newest is of interest.
struct Upload: Sendable {
  let bytes: Int

  func send(progress: AsyncStream<Double>.Continuation) async throws -> Int {
    defer { progress.finish() }
    var sent = 0
    while sent < bytes {
      try await Task.sleep(for: .milliseconds(4))
      sent = min(sent + 1_000, bytes)
      progress.yield(Double(sent) / Double(bytes))
    }
    return sent
  }
}

@MainActor
final class Bar {
  private(set) var value = 0.0
  private(set) var redraws = 0

  func show(_ value: Double) async {
    self.value = value
    redraws += 1
    // The bar slides to its new place.
    try? await Task.sleep(for: .milliseconds(16))
  }
}

@MainActor
final class UploadSheet {
  let bar = Bar()

  func run(_ upload: Upload) async throws -> Int {
    let (progress, input) = AsyncStream.makeStream(
      of: Double.self, bufferingPolicy: .bufferingNewest(1))
    let drawing = Task(name: "bar") {
      for await value in progress { await bar.show(value) }
    }
    let sent = try await upload.send(progress: input)
    await drawing.value
    return sent
  }
}

let sheet = UploadSheet()
do {
  let sent = try await sheet.run(Upload(bytes: 60_000))
  print("\(sent) bytes sent")
} catch {
  print("The upload failed: \(error)")
}
print("The bar is at \(Int(sheet.bar.value * 100)) %")
print(sheet.bar.redraws < 60 ? "drawn when there was time" : "drawn each time")
