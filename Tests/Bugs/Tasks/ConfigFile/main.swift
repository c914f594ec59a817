// Symptom: `deploy set region north` prints nothing and has to be stopped with control-C. All
// commands that only read the configuration are fine.
// Looks at: the command ("set")

import Foundation

/// A lock that may be held while its holder waits.
actor AsyncLock {
  private var isHeld = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func acquire() async {
    guard isHeld else {
      isHeld = true
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func release() {
    if waiting.isEmpty {
      isHeld = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}

final class ConfigFile: @unchecked Sendable {
  private let lock = AsyncLock()  // Safety: held around all uses.
  private var values = ["region": "south", "replicas": "3"]
  private(set) var savedText = ""

  func value(of key: String) async -> String? {
    await lock.acquire()
    let value = values[key]
    await lock.release()
    return value
  }

  func set(_ key: String, to value: String) async throws {
    await lock.acquire()
    if values[key] != value {
      values[key] = value
      try await save()
    }
    await lock.release()
  }

  /// Writes what is set, one writer at a time.
  func save() async throws {
    await lock.acquire()  // culprit
    savedText = values.sorted(by: <).map { "\($0.key) = \($0.value)" }.joined(separator: "\n")
    try await Task.sleep(for: .milliseconds(10))
    await lock.release()
  }
}

let config = ConfigFile()
let commands = [["get", "region"], ["set", "replicas", "3"], ["set", "region", "north"]]
for words in commands {
  let command = Task(name: words[0]) {
    if words[0] == "get" {
      print(await config.value(of: words[1]) ?? "not set")
    } else {
      try await config.set(words[1], to: words[2])
      print("set \(words[1])")
    }
  }
  try await command.value
}
print(config.savedText)
