// Symptom: On Friday evening the gantry saw 200 cars, and far fewer got a bill.
// Looks at: who writes the bills ("billing")

import Foundation

struct Passage: Sendable {
  let plate: String
  let lane: Int
}

final class Gantry: Sendable {
  let passages: AsyncStream<Passage>
  private let camera: AsyncStream<Passage>.Continuation

  init() {
    (passages, camera) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))  // culprit
  }

  func saw(_ plate: String, lane: Int) {
    camera.yield(Passage(plate: plate, lane: lane))
  }

  func close() { camera.finish() }
}

actor Billing {
  private(set) var bills: [String] = []
  private let night: Bool

  init(night: Bool) { self.night = night }

  private func owner(of plate: String) async -> String {
    try? await Task.sleep(for: .milliseconds(2))
    return "owner of \(plate)"
  }

  func work(on gantry: Gantry) async {
    for await passage in gantry.passages {
      let name = await owner(of: passage.plate)
      bills.append("\(name): \(night ? 1.5 : 3) €, lane \(passage.lane)")
    }
  }
}

let gantry = Gantry()
let billing = Billing(night: false)
let work = Task(name: "billing") { await billing.work(on: gantry) }

for car in 0..<200 {
  gantry.saw("M-\(1_000 + car)", lane: car % 3)
  if car % 20 == 0 { try await Task.sleep(for: .milliseconds(15)) }
}
gantry.close()
await work.value
print("200 cars, \(await billing.bills.count) bills")
