// Symptom: As soon as I sync all of my photos, the app stands still for good.
// Looks at: the sync ("sync")

import Foundation

/// Keeps the key that signs the requests.
actor KeyStore {
  private var uses = 0

  func sign(_ path: String) -> String {
    uses += 1
    return "\(path)#\(path.utf8.reduce(uses) { $0 &* 31 &+ Int($1) } & 0xffff)"
  }
}

/// What the request builder hands back to those that cannot be `async`.
// Safety: it is written before the semaphore's signal, and read after its wait.
final class SignatureBox: @unchecked Sendable {
  var signature = ""
}

struct RequestBuilder: Sendable {
  let keys: KeyStore

  func request(for path: String) -> String {
    "PUT \(path) Signature: \(signature(for: path))"
  }

  private func signature(for path: String) -> String {
    let box = SignatureBox()
    let done = DispatchSemaphore(value: 0)
    Task(name: "sign") {
      box.signature = await keys.sign(path)
      done.signal()
    }
    done.wait()  // culprit
    return box.signature
  }
}

struct PhotoServer: Sendable {
  func send(_ request: String) async -> Bool {
    try? await Task.sleep(for: .milliseconds(5))
    return request.contains("#")
  }
}

let builder = RequestBuilder(keys: KeyStore())
let server = PhotoServer()
let sync = Task.detached(name: "sync") {
  await withTaskGroup(of: Bool.self) { group in
    for number in 1...200 {
      group.addTask(name: "photo") {
        await server.send(builder.request(for: "/photos/\(number)"))
      }
    }
    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
  }
}
print("Syncs 200 photos …")
print("\(await sync.value) photos are safe")
