// Symptom: In the morning I release the vans of the fleet one after the other. The first vans
// start, the app says so, and then the app quits by itself, before it comes to the end of the list.
// Looks at: the releasing of the vans ("morning")

import Foundation

let fleet = Fleet(radio: BoxRadio())
let vans = [
  Van(plate: "B-KL 11", delay: 0.04),
  Van(plate: "B-KL 12", delay: 0.06),
  Van(plate: "B-KL 13", delay: 0.05),
  Van(plate: "B-KL 14", delay: 0.04),
  Van(plate: "B-KL 15", delay: 0.05),
]

let morning = Task(name: "morning") {
  for van in vans {
    do {
      print(try await fleet.release(van))
    } catch {
      print("\(van.plate): does not answer")
    }
    fflush(nil)
  }
}
await morning.value
print("All vans are on the road.")
