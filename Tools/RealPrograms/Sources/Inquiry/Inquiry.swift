import AsyncHTTPClient
import FlyingFox
import FlyingSocks
import Foundation
import NIOCore
import NIOHTTP1

/// Clients that ask a server in the same process, some answers of which come late.
@main
struct Inquiry {
  static let clients = 8
  static let rounds = 24

  static func main() async throws { try await run() }

  static func run() async throws {
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    await server.appendRoute("GET /square") { request in
      let number = request.query.first { $0.name == "of" }.flatMap { Int($0.value) } ?? 0
      if number.isMultiple(of: 7) { try await Task.sleep(for: .milliseconds(5)) }
      return HTTPResponse(statusCode: .ok, body: Data("\(number * number)".utf8))
    }
    await server.appendRoute("POST /sum") { request in
      let sum = try await request.bodyData.reduce(0) { $0 + Int($1) }
      return HTTPResponse(statusCode: .ok, body: Data("\(sum)".utf8))
    }
    let serving = Task(name: "serving") { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port)? = await server.listeningAddress else {
      fatalError("the server listens elsewhere")
    }
    let client = AsyncHTTPClient.HTTPClient(eventLoopGroupProvider: .singleton)
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...clients {
        group.addTask(name: "inquirer \(number)") { try await ask(client, port, number) }
      }
      var total = 0
      for try await part in group { total += part }
      return total
    }
    print("the answers add up to \(total)")
    try await client.shutdown()
    await server.stop(timeout: 3)
    _ = await serving.result
    print("the server has ended")
  }

  static func ask(_ client: AsyncHTTPClient.HTTPClient, _ port: UInt16, _ number: Int) async throws
    -> Int
  {
    var total = 0
    for round in 1...rounds {
      let home = "http://127.0.0.1:\(port)"
      var request = HTTPClientRequest(url: "\(home)/square?of=\(number * round)")
      if round.isMultiple(of: 3) {
        request = HTTPClientRequest(url: "\(home)/sum")
        request.method = .POST
        request.body = .bytes(ByteBuffer(repeating: 1, count: 10 * round))
      }
      let response = try await client.execute(request, timeout: .seconds(60))
      let answer = try await response.body.collect(upTo: 1_024)
      total += Int(String(buffer: answer)) ?? 0
    }
    return total
  }
}
