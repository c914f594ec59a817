// Symptom: None; this works.
// Looks at: the uploads ("upload")

import Foundation

enum UploadError: Error {
  case refused
}

final class Server: Sendable {
  private let queue = DispatchQueue(label: "server")

  func send(_ bytes: Int, answer: @escaping @Sendable (Result<Int, UploadError>) -> Void) {
    queue.asyncAfter(deadline: .now() + 0.01) {
      answer(bytes > 800 ? .failure(.refused) : .success(bytes))
    }
  }
}

func upload(_ bytes: Int, to server: Server) async throws -> Int {
  try await withCheckedThrowingContinuation { done in
    server.send(bytes) { done.resume(with: $0) }
  }
}

let server = Server()
let sent = await withTaskGroup(of: Int.self) { group in
  for number in 1...12 {
    group.addTask(name: "upload") { (try? await upload(number * 75, to: server)) ?? 0 }
  }
  return await group.reduce(0, +)
}
print("\(sent) bytes sent")
