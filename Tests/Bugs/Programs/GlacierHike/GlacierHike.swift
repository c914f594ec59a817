// Symptom: My photos come onto the map of the hike later and later, those of the rest at the hut when
// I am far above it, and those of the summit not at all.
// Looks at: pins (the photos on the map)
import Foundation
import Varve

struct Position: Equatable, Sendable {
  let north: Double
  let east: Double
}

struct Pin: Sendable {
  let photo: Int
  let position: Position
}

final class Receiver: Sendable {
  let fixes: Signal<Position, Never>
  private let input: Signal<Position, Never>.Observer

  init() { (fixes, input) = Signal.pipe() }

  func locate(_ north: Double) { input.send(value: Position(north: north, east: 8.2)) }
}

final class Camera: Sendable {
  let photos: Signal<Int, Never>
  private let input: Signal<Int, Never>.Observer

  init() { (photos, input) = Signal.pipe() }

  func shoot(_ number: Int) { input.send(value: number) }
}

final class HikeMap: Sendable {
  let pins: Signal<Pin, Never>

  init(camera: Camera, receiver: Receiver) {
    pins = camera.photos
      .zip(with: receiver.fixes.skipRepeats())  // culprit
      .map { Pin(photo: $0, position: $1) }
      .named("pins")
  }
}

let camera = Camera()
let receiver = Receiver()
let map = HikeMap(camera: camera, receiver: receiver)
map.pins.observeValues { print("photo \($0.photo) at \($0.position.north)") }

// The receiver gets a fix whenever the camera is woken.
var north = 46.0
for number in 1...60 {
  let isResting = number % 3 != 0
  if !isResting { north += 0.1 }
  receiver.locate(north)
  camera.shoot(number)
  Thread.sleep(forTimeInterval: 0.003)
}
print("now at \(north)")
