// Symptom: When the other service is slow, our server crashes. Callers that run into the deadline
// get their error all right; a moment later the whole process is gone.
// Looks at: the replies that come in ("receiver")

import Foundation

func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// The other service, which takes a different time for each question.
struct RemoteService: Transport {
  let replies: AsyncStream<Reply>
  private let wire: AsyncStream<Reply>.Continuation

  init() { (replies, wire) = AsyncStream.makeStream() }

  func send(_ call: Int, _ method: String) {
    Task(name: "remote \(call)") {
      try? await Task.sleep(for: .milliseconds(method == "report" ? 150 : 20))
      wire.yield(Reply(call: call, text: "\(method) done"))
    }
  }
}

let remote = RemoteService()
let client = RpcClient(transport: remote, deadline: .milliseconds(80))
let receiver = Task(name: "receiver") {
  for await reply in remote.replies { await client.receive(reply) }
}

for method in ["ping", "balance", "report", "ping", "balance", "ping", "ping"] {
  do {
    say(try await client.call(method))
  } catch {
    say("\(method): \(error)")
  }
  try await Task.sleep(for: .milliseconds(20))
}
receiver.cancel()
say("closed")
