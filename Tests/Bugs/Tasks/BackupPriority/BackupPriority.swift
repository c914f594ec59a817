// Symptom: Opening a document takes seconds while a backup is running.
// Looks at: the task that opens it ("open document")

import Foundation

// A store that only one may use at a time, from before actors.
// Safety: the lock protects the values.
final class Store: @unchecked Sendable {
  private let lock = NSLock()
  private var values = [Int](repeating: 0, count: 10_000)

  func copyAll() -> Int {
    lock.lock()
    defer { lock.unlock() }
    let end = Date().addingTimeInterval(0.4)
    var sum = 0
    while Date() < end { sum &+= values.reduce(1, &+) }
    return sum
  }

  func read(_ index: Int) -> Int {
    lock.lock()  // culprit
    defer { lock.unlock() }
    return values[index]
  }
}

let store = Store()
let backup = Task.detached(name: "backup", priority: .background) { store.copyAll() }
try await Task.sleep(for: .milliseconds(40))
let document = Task.detached(name: "open document", priority: .userInitiated) {
  var page = 0
  for index in 0..<10 { page += store.read(index) }
  return page
}
print("page \(await document.value)")
_ = await backup.value
