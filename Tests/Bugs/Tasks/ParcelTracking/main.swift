// Symptom: With the second parcel, my list stays at its spinner for ever.
// Looks at: the list ("parcel list")

import Foundation

struct Status: Sendable {
  var place: String
}

enum CarrierError: Error {
  case unknownNumber
}

/// The client of the carrier, from before there was `async`.
final class CarrierClient: Sendable {
  private let queue = DispatchQueue(label: "carrier")
  private let places = ["7001": "Basel", "7003": "Lyon"]

  func look(up number: String, done: @escaping @Sendable (Status?, CarrierError?) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.02) { [places] in
      if let place = places[number] {
        done(Status(place: place), nil)
      } else {
        done(nil, .unknownNumber)
      }
    }
  }
}

extension CarrierClient {
  func status(of number: String) async throws -> Status {
    try await withCheckedThrowingContinuation { continuation in
      look(up: number) { status, error in
        guard let status else { return print("carrier: \(error!)") }  // culprit
        continuation.resume(returning: status)
      }
    }
  }
}

let client = CarrierClient()
let list = Task(name: "parcel list") {
  for number in ["7001", "7002", "7003"] {
    print("\(number): …")
    do {
      let status = try await client.status(of: number)
      print("\(number): in \(status.place)")
    } catch {
      print("\(number): not found")
    }
  }
}
await list.value
print("All parcels are up to date")
