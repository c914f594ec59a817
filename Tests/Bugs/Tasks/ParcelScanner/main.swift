// Symptom: Somebody held a bar of chocolate under the scanner in the depot. It beeped, and since
// then no parcel is booked in any more. We have to start the app again.
// Looks at: the booking of what is scanned

import Foundation

struct Parcel: Sendable {
  var number: Int

  init?(code: String) {
    guard code.hasPrefix("P-"), let number = Int(code.dropFirst(2)) else { return nil }
    self.number = number
  }
}

actor Depot {
  private(set) var parcels: [Int] = []

  func book(_ parcel: Parcel) async {
    try? await Task.sleep(for: .milliseconds(10))
    parcels.append(parcel.number)
    print("booked parcel \(parcel.number)")
  }
}

struct ScannerDesk: Sendable {
  let depot: Depot

  func bookAll(_ codes: AsyncStream<String>) async {
    for await code in codes {
      guard let parcel = Parcel(code: code) else {
        print("not a parcel: \(code)")
        return  // culprit
      }
      await depot.book(parcel)
    }
  }
}

let depot = Depot()
let (codes, scanner) = AsyncStream.makeStream(of: String.self)
let desk = Task { await ScannerDesk(depot: depot).bookAll(codes) }
for code in ["P-101", "P-102", "7610400011", "P-103", "P-104", "P-105"] {
  print("beep")
  scanner.yield(code)
  try await Task.sleep(for: .milliseconds(40))
}
scanner.finish()
await desk.value
print("the depot has the parcels \(await depot.parcels)")
