// Symptom: The screen in the lock keeper's hut shows the level of the water, and follows it. The
// list of the boats that wait stays empty, all day, though they are queueing outside.
// Looks at: the screen ("screen")

import Foundation

/// The sensors at the canal.
final class Canal: Sendable {
  let levels: AsyncStream<Int>
  let boats: AsyncStream<String>
  private let gauge: AsyncStream<Int>.Continuation
  private let camera: AsyncStream<String>.Continuation

  init() {
    (levels, gauge) = AsyncStream.makeStream()
    (boats, camera) = AsyncStream.makeStream()
  }

  func open() async { try? await Task.sleep(for: .milliseconds(10)) }

  func rise(to centimetres: Int) { gauge.yield(centimetres) }

  func see(_ boat: String) { camera.yield(boat) }
}

let canal = Canal()
let screen = LockScreen(canal: canal)
screen.appear()

let day = Task(name: "day") {
  for (hour, boat) in ["Marguerite", "Sirius", "Zwaluw", "Nordlicht"].enumerated() {
    try await Task.sleep(for: .milliseconds(40))
    canal.rise(to: 210 + hour * 15)
    canal.see(boat)
    try await Task.sleep(for: .milliseconds(20))
    print("\(8 + hour):00 level \(screen.level), \(screen.boats.count) boats wait")
  }
}
try await day.value
screen.disappear()
try await Task.sleep(for: .milliseconds(20))
