// Symptom: The more often I have looked at the sky today, the more memory the app takes and the
// warmer the phone gets, even with the sky screen closed.
// Looks at: the readings of the sky screen ("field")

import Foundation
import Varve

let magnetometer = Magnetometer()

for visit in 1...12 {
  let screen = SkyScreen(magnetometer)
  Thread.sleep(forTimeInterval: 0.05)
  let field = screen.field.value.map { "\($0) nT" } ?? "nothing"
  print("visit \(visit): \(field), \(magnetometer.clients) clients of the sensor")
}
Thread.sleep(forTimeInterval: 0.1)
print("closed: \(magnetometer.clients) clients of the sensor, \(magnetometer.calls) calls")
