// Symptom: The counter above the belt says 60 parcels in the evening, but only a dozen are on the
// bill. On quiet days, when the parcels come one by one, the two agree.
// Looks at: the clerk who writes the bill ("bill")

import Foundation

struct Parcel: Sendable {
  let code: Int
  let grams: Int
}

/// The scanner above the belt, with a callback for each parcel.
final class BeltScanner: Sendable {
  private let queue = DispatchQueue(label: "scanner")

  func scan(
    _ count: Int, each: @escaping @Sendable (Parcel) -> Void,
    end: @escaping @Sendable () -> Void
  ) {
    queue.async {
      for code in 0..<count {
        each(Parcel(code: 7_000 + code, grams: 300 + code * 91 % 900))
        if code % 10 == 9 { Thread.sleep(forTimeInterval: 0.02) }
      }
      end()
    }
  }
}

actor Bill {
  private(set) var lines: [(code: Int, cents: Int)] = []
  var cents: Int { lines.reduce(0) { $0 + $1.cents } }

  func add(_ parcel: Parcel) async {
    let price = parcel.grams > 1_000 ? 890 : 490
    try? await Task.sleep(for: .milliseconds(3))
    lines.append((parcel.code, price))
  }
}

final class Belt: Sendable {
  private let scanner = BeltScanner()

  func parcels(_ count: Int) -> AsyncStream<Parcel> {
    let (stream, input) = AsyncStream.makeStream(
      of: Parcel.self,
      bufferingPolicy: .bufferingNewest(1))  // culprit
    scanner.scan(count) {
      input.yield($0)
    } end: {
      input.finish()
    }
    return stream
  }
}

let belt = Belt()
let bill = Bill()
let clerk = Task(name: "bill") {
  for await parcel in belt.parcels(60) { await bill.add(parcel) }
}
await clerk.value
let lines = await bill.lines.count
print("60 parcels scanned, \(lines) on the bill: \(Double(await bill.cents) / 100) euros")
