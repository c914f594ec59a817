// Symptom: Each page of a tank that was ever opened stays in memory, and goes on asking the tank.
// Looks at: the asking ("ask tank")

import Foundation

actor FuelDepot {
  private(set) var questions = 0

  func litres(in tank: Int) async -> Int {
    questions += 1
    try? await Task.sleep(for: .milliseconds(2))
    return 4_000 - tank * 250 - questions
  }
}

@MainActor
final class TankPage {
  private(set) var litres = 0
  private let tank: Int
  private let depot: FuelDepot
  private var asking: Task<Void, Never>?

  init(tank: Int, depot: FuelDepot) {
    self.tank = tank
    self.depot = depot
  }

  func appeared() {
    asking = Task(name: "ask tank") {  // culprit
      while !Task.isCancelled {
        litres = await depot.litres(in: tank)
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  deinit {
    asking?.cancel()
  }
}

@MainActor func run() async {
  let depot = FuelDepot()
  var shown: TankPage?
  for tank in 1...8 {
    shown = TankPage(tank: tank, depot: depot)
    shown?.appeared()
    try? await Task.sleep(for: .milliseconds(50))
    print("tank \(tank): \(shown?.litres ?? 0) litres")
  }
  weak var page: TankPage?
  page = shown
  shown = nil
  let before = await depot.questions
  try? await Task.sleep(for: .milliseconds(100))
  print("the page is \(page == nil ? "gone" : "still in memory")")
  print("\(await depot.questions - before) questions since it was closed")
}
await run()
