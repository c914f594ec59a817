import Foundation

@MainActor
final class DeckModel {
  private let instruments: Instruments
  private let repository: PassengerRepository
  private var altitude: Int?
  private var passengers: [Passenger] = []
  private var isLoading = false

  init(instruments: Instruments, passengers: PassengerRepository) {
    self.instruments = instruments
    repository = passengers
  }

  func appear() async {
    await instruments.switchOn()
    await followAltitude()  // culprit
    await loadPassengers()
  }

  private func followAltitude() async {
    for await metres in instruments.altitudes() {
      altitude = metres
    }
  }

  private func loadPassengers() async {
    isLoading = true
    defer { isLoading = false }
    do {
      passengers = try await repository.onBoard()
    } catch {
      print("could not load the passengers: \(error)")
    }
  }

  var summary: String {
    let height = altitude.map { "\($0) m" } ?? "on the ground"
    let list = passengers.isEmpty ? "-" : passengers.map(\.name).joined(separator: ", ")
    return "altitude: \(height); passengers: \(isLoading ? "loading…" : list)"
  }
}
