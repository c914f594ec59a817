// Symptom: The deed is registered, and still my phone asks the registry again and again. The
// message that it is registered comes up each time.
// Looks at: the wait for the registry ("filing")

import Foundation

let registry = Registry()
let filing = Filing(client: registry)

let wait = Task(name: "filing") {
  do {
    try await filing.file(Deed(title: "Mill Lane 4", pages: 12))
  } catch is CancellationError {
    // The screen was closed.
  } catch {
    print("filing failed: \(error)")
  }
}
try await Task.sleep(for: .milliseconds(900))
wait.cancel()
await wait.value
print("the registry was asked \(await registry.questions) times")
