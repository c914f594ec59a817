import AsyncHTTPClient
import FlyingFox
import FlyingSocks
import Foundation
import NIOCore

@main
struct FoxServer {
  static let clients = 6
  static let rounds = 30

  static func main() async throws { try await run() }

  static func run() async throws {
    let server = HTTPServer(address: .loopback(port: 0), logger: .disabled)
    await server.appendRoute("GET /square") { request in
      let number = request.query.first { $0.name == "of" }.flatMap { Int($0.value) } ?? 0
      return HTTPResponse(statusCode: .ok, body: Data("\(number * number)".utf8))
    }
    await server.appendRoute("POST /sum") { request in
      let sum = try await request.bodyData.reduce(0) { $0 + Int($1) }
      return HTTPResponse(statusCode: .ok, body: Data("\(sum)".utf8))
    }
    let serving = Task(name: "serving") { try await server.run() }
    try await server.waitUntilListening()
    guard case .ip4(_, let port)? = await server.listeningAddress else { return }
    let address = "http://127.0.0.1:\(port)"

    let client = HTTPClient(eventLoopGroupProvider: .singleton)
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...clients {
        group.addTask(name: "pupil \(number)") { try await ask(address, client, number) }
      }
      return try await group.reduce(0, +)
    }
    print("the answers add up to \(total)")
    try await client.shutdown()
    await server.stop(timeout: 3)
    _ = await serving.result
    print("the server has ended")
  }

  static func ask(_ address: String, _ client: HTTPClient, _ number: Int) async throws -> Int {
    var total = 0
    for round in 1...rounds {
      var request = HTTPClientRequest(url: "\(address)/square?of=\(number * round)")
      if round.isMultiple(of: 3) {
        request = HTTPClientRequest(url: "\(address)/sum")
        request.method = .POST
        request.body = .bytes(ByteBuffer(repeating: 1, count: 10 * round))
      }
      let response = try await client.execute(request, timeout: .seconds(30))
      let answer = try await response.body.collect(upTo: 1 << 16)
      total += Int(String(buffer: answer)) ?? 0
    }
    return total
  }
}
