// Symptom: Importing more than a few files at once hangs. One or two files are no problem on any
// machine.
// Looks at: one of the imports ("import")

import Foundation

// Safety: written before the semaphore is signalled, read after.
final class Box: @unchecked Sendable {
  var value = 0
}

/// The importer's interface is synchronous; the parser behind it is not any more.
struct Importer: Sendable {
  func importFile(_ name: String) -> Int {
    let count = Box()
    let done = DispatchSemaphore(value: 0)
    Task(name: "parse \(name)") {
      count.value = await parse(name)
      done.signal()
    }
    done.wait()  // culprit
    return count.value
  }

  private func parse(_ name: String) async -> Int {
    try? await Task.sleep(for: .milliseconds(5))
    return name.count
  }
}

let importer = Importer()
let total = await withTaskGroup(of: Int.self) { group in
  for number in 1...64 {
    group.addTask(name: "import") { importer.importFile("file \(number).csv") }
  }
  return await group.reduce(0, +)
}
print("\(total) rows")
