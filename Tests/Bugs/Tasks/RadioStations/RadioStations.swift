// Symptom: Whoever leaves the list of stations while it loads can't leave: the screen hangs.
// Looks at: the list ("stations")

import Foundation

/// A request of the older network layer.
///
/// Safety: it changes on its queue alone.
final class StationRequest: @unchecked Sendable {
  private let queue = DispatchQueue(label: "stations")
  private var completion: (@Sendable ([String]) -> Void)?

  func start(_ completion: @escaping @Sendable ([String]) -> Void) {
    queue.sync { self.completion = completion }
    queue.asyncAfter(deadline: .now() + 0.15) {
      self.completion?(["Jazz 24", "Klara", "Radio Nord"])
      self.completion = nil
    }
  }

  func abort() {
    queue.async { self.completion = nil }
  }
}

struct StationService: Sendable {
  func stations() async -> [String] {
    let request = StationRequest()
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { loaded in
        request.start { loaded.resume(returning: $0) }
      }
    } onCancel: {
      request.abort()  // culprit
    }
  }
}

@MainActor
final class StationScreen {
  private(set) var stations: [String] = []
  private var loading: Task<Void, Never>?
  private let service = StationService()

  func open() {
    let service = service
    loading = Task(name: "stations") {
      stations = await service.stations()
      print(stations.joined(separator: ", "))
    }
  }

  func close() async {
    loading?.cancel()
    await loading?.value
    print("closed")
  }
}

@MainActor func run() async {
  let patient = StationScreen()
  patient.open()
  try? await Task.sleep(for: .milliseconds(250))
  await patient.close()
  let hasty = StationScreen()
  hasty.open()
  try? await Task.sleep(for: .milliseconds(40))
  await hasty.close()
}
await run()
