import Foundation

@MainActor
final class SightingModel {
  private let instrument: Instrument
  private var hiding: Task<Void, Never>?
  private(set) var hint: String?
  private(set) var percent = 0

  init(instrument: Instrument) {
    self.instrument = instrument
  }

  func sight(_ star: String) async {
    percent = 0
    do {
      try await waitUntilReady()
      let height = try await height(of: star, within: .milliseconds(150))
      show("\(star) stands at \(height)°, drawn to \(percent) %")
    } catch is TooLate {
      show("\(star) is behind a cloud")
    } catch {
      show("no sighting: \(error)")
    }
  }

  private func waitUntilReady() async throws {
    let states = await instrument.states()
    await instrument.unfold()
    for await state in states where state == .ready { return }
    throw CancellationError()
  }

  private func height(of star: String, within limit: Duration) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { [instrument] group in
      group.addTask {
        try await instrument.measure(star) { done in
          self.percent = Int(done * 100)
        }
      }
      group.addTask {
        try await Task.sleep(for: limit)
        throw TooLate()
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }

  private func show(_ text: String) {
    hint = text
    print(text)
    hiding?.cancel()
    hiding = Task {
      try? await Task.sleep(for: .milliseconds(100))
      guard !Task.isCancelled else { return }
      hint = nil
    }
  }
}
