import Foundation

@MainActor
final class RideModel {
  private let client: any DispatchClient
  private var ride: Int?
  private var polling: Task<Void, Never>?

  private(set) var text = "" {
    didSet { if text != oldValue { print(text) } }
  }

  init(client: any DispatchClient) {
    self.client = client
  }

  func order(from pier: String) async throws {
    ride = try await client.order(from: pier)
    stopPolling()
    text = "a gondola comes to \(pier)"
  }

  func enterForeground() {
    guard let ride, polling == nil else { return }
    polling = Task(name: "position") { [weak self, client] in
      do {
        polling: while true {
          switch try await client.position(of: ride) {
          case .away(let bridges):
            self?.text = "\(bridges) bridges away"
          case .arrived:
            self?.text = "your gondola is here"
            break polling
          }
          try await Task.sleep(for: .milliseconds(30))
        }
      } catch is CancellationError {
        // In the background nobody looks.
      } catch {
        self?.text = "no position: \(error)"
      }
    }
  }

  func enterBackground() {
    stopPolling()
  }

  private func stopPolling() {
    polling?.cancel()
    polling = nil
  }
}
