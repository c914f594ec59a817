// Symptom: Once the plough has reached its depot, the tracker's memory grows for as long as the plough's
//   radio is on.
// Looks at: the task that follows the plough ("follow")

import Foundation

struct Fix {
  let metres: Int
}

final class Plough: Sendable {
  let fixes: AsyncStream<Fix>
  let radio: AsyncStream<Fix>.Continuation

  init() {
    (fixes, radio) = AsyncStream.makeStream(of: Fix.self)
  }
}

let plough = Plough()

let follow = Task(name: "follow") {
  var last = Fix(metres: 0)
  for await fix in plough.fixes {
    last = fix
    if fix.metres > 60 { break }  // culprit
  }
  return last.metres
}

let driving = Task(name: "driving") {
  for step in 0..<300 {
    plough.radio.yield(Fix(metres: step * 5))
    try await Task.sleep(for: .milliseconds(5))
  }
}

print("reached the depot at", await follow.value)
_ = await driving.result
exit(0)
