// Symptom: After a minute or so, the aircraft on the map of the airfield stand still. The
// receiver is on, and its lamp blinks with each report.
// Looks at: the map's task ("map")

import Foundation

struct Garbled: Error {}

struct Report: Sendable {
  let callSign: String
  let altitude: Int

  init(line: String) throws {
    let fields = line.split(separator: ",")
    guard fields.count == 2, let altitude = Int(fields[1]) else { throw Garbled() }
    callSign = String(fields[0])
    self.altitude = altitude
  }
}

final class Receiver: Sendable {
  let lines: AsyncStream<String>
  private let radio: AsyncStream<String>.Continuation

  init() { (lines, radio) = AsyncStream.makeStream(of: String.self) }

  func listen(reports: Int) async {
    for number in 1...reports {
      // Sometimes two aircraft speak at once.
      let altitude = number % 12 == 9 ? "3#!0" : "\(900 + number * 25)"
      radio.yield("D-E\(number % 3)AB,\(altitude)")
      try? await Task.sleep(for: .milliseconds(10))
    }
    radio.finish()
  }
}

@MainActor
final class AirfieldMap {
  private(set) var altitudes: [String: Int] = [:]
  private(set) var moves = 0

  func follow(_ receiver: Receiver) async throws {
    for await line in receiver.lines {
      let report = try Report(line: line)  // culprit
      altitudes[report.callSign] = report.altitude
      moves += 1
    }
  }
}

let receiver = Receiver()
let map = AirfieldMap()
Task(name: "map") { try await map.follow(receiver) }
let listening = Task(name: "receiver") { await receiver.listen(reports: 50) }
for second in 1...5 {
  try? await Task.sleep(for: .milliseconds(110))
  let altitudes = map.altitudes.sorted { $0.key < $1.key }.map(\.value)
  print("\(second): moved \(map.moves) times, \(altitudes)")
}
await listening.value
