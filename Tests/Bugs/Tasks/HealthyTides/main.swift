// Symptom: none: tides come in bursts, and the table is written behind them, but catches up each time.
// Looks at: the task that writes the table ("table")

import Foundation

struct Tide {
  let metres: Double
}

let (tides, gauge) = AsyncStream.makeStream(of: Tide.self)

let table = Task(name: "table") {
  var rows: [Double] = []
  for await tide in tides {
    try? await Task.sleep(for: .milliseconds(4))
    rows.append(tide.metres)
  }
  return rows.count
}

for burst in 0..<8 {
  for step in 0..<20 { gauge.yield(Tide(metres: Double(burst * 20 + step))) }
  try await Task.sleep(for: .milliseconds(160))
}
gauge.finish()
print(await table.value)
