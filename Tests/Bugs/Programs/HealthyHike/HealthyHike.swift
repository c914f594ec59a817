// Symptom: none. A photo takes the position that the receiver has when it is shot.
// Looks at: pins (the photos on the map)
import Foundation
import Varve

struct Pin: Sendable {
  let photo: Int
  let north: Double
}

final class Hike: Sendable {
  let north = MutableProperty(46.0)
  let photos: Signal<Int, Never>
  private let shutter: Signal<Int, Never>.Observer

  init() { (photos, shutter) = Signal.pipe() }

  func shoot(_ number: Int) { shutter.send(value: number) }
}

final class HikeMap: Sendable {
  let pins = MutableProperty<[Pin]>([])

  init(_ hike: Hike) {
    pins
      <~ hike.photos
      .withLatest(from: hike.north.producer.skipRepeats())
      .map { Pin(photo: $0, north: $1) }
      .scan([]) { $0 + [$1] }
      .named("pins")
  }
}

let hike = Hike()
let map = HikeMap(hike)
map.pins.signal.observeValues { pins in
  if let pin = pins.last { print("photo \(pin.photo) at \(pin.north)") }
}
for number in 1...12 {
  if number % 3 == 0 { hike.north.modify { $0 += 0.5 } }
  hike.shoot(number)
  Thread.sleep(forTimeInterval: 0.005)
}
print("\(map.pins.value.count) photos on the map")
