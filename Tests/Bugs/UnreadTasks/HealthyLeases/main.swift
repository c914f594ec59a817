// Symptom: None. More requests than connections wait for their turn, some give up and some fail, and
// in the end all connections are back.
// Looks at: the requests ("request 3")

import Foundation

struct QueryFailed: Error {}

let pool = LeasePool(size: 2)

func query(_ number: Int, on connection: Connection) async throws -> String {
  try await Task.sleep(for: .milliseconds(30))
  if number % 4 == 0 { throw QueryFailed() }
  return "request \(number) on connection \(connection.number)"
}

let requests = (1...10).map { number in
  Task(name: "request \(number)") {
    try await pool.withConnection { try await query(number, on: $0) }
  }
}
// Two of the clients hang up while they wait.
try await Task.sleep(for: .milliseconds(15))
requests[6].cancel()
requests[8].cancel()

var failures = 0
for request in requests {
  do {
    print(try await request.value)
  } catch {
    failures += 1
  }
}
print("\(failures) without an answer, \(await pool.idleCount) connections are idle")
