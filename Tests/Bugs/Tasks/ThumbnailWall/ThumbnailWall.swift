// Symptom: After the album was left, its wall of thumbnails is computed to the end all the same, and the next
//   album comes late.
// Looks at: the task that computes the wall ("wall")

import Foundation

func shade(of pixel: Int) -> Int {
  let end = Date().addingTimeInterval(0.002)
  var value = pixel
  while Date() < end { value = (value &* 31 &+ 7) & 0xffff }
  return value
}

func wall(of pictures: Int) -> Int {
  var sum = 0
  for picture in 0..<pictures {  // culprit
    sum &+= shade(of: picture)
  }
  return sum
}

let first = Task.detached(name: "wall") { wall(of: 800) }
try await Task.sleep(for: .milliseconds(50))
print("left the album")
first.cancel()
print(await first.value > 0)
