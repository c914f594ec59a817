import Foundation
import Testing
import VarveTraceScript

/// `varve view` while it serves.
final class ServedView {
  let client: ServedClient
  var port: UInt16 { client.port }
  var token: String { client.token }
  private let process = Process()
  private let folder = TemporaryFolder()
  private let path: String

  /// Starts it, and waits for its address.
  init(
    _ arguments: [String], opens: Bool = false, environment: [String: String] = [:]
  ) throws {
    path = folder.file("out")
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    process.executableURL = CommandRun.command
    process.arguments = ["view"] + (opens ? [] : ["--no-open"]) + arguments
    var variables = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    variables.merge(environment) { $1 }
    process.environment = variables
    // One handle for both, so that neither writes over the other.
    let output = FileHandle(forWritingAtPath: path)
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var text = ""
    for _ in 0..<600 where !text.contains("Control-C ends it\n") {
      usleep(50_000)
      text = try String(contentsOfFile: path, encoding: .utf8)
      guard process.isRunning else { break }
    }
    let found = try #require(
      text.firstMatch(of: #/http://127\.0\.0\.1:([0-9]+)/([0-9a-f]{32})/(#\S*)?\n/#), "\(text)")
    client = ServedClient(port: try #require(UInt16(found.1)), token: String(found.2))
    said = text
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// What it said at the beginning.
  let said: String

  /// All that it has said until now, errors too.
  func output() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// Ends it as Control-C does, and returns its status.
  func interrupt() -> Int32 {
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// An answer, byte for byte.
  struct Answer {
    var status = 0
    var head = ""
    var body = Data()
    var text: String { String(decoding: body, as: UTF8.self) }
    func object() throws -> [String: Any] {
      try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    }
  }

  /// Asks for a path behind the token, with headers as they are given.
  func ask(
    _ path: String, method: String = "GET", token: String? = nil, headers: [String]? = nil
  ) throws -> Answer { try client.ask(path, method: method, token: token, headers: headers) }

  /// Sends a request and reads until the connection is closed.
  func send(_ line: String, _ headers: [String]) throws -> Answer { try client.send(line, headers) }

  /// The messages of a long answer, by name.
  func messages(_ path: String) throws -> [(name: String, data: [String: Any])] {
    let answer = try ask(path)
    #expect(answer.head.lowercased().contains("text/event-stream"))
    return try answer.text.matches(of: #/event: (\w+)\ndata: (.*)\n\n/#).map { found in
      let object = try JSONSerialization.jsonObject(with: Data(found.2.utf8))
      return (String(found.1), try #require(object as? [String: Any]))
    }
  }
}

/// Asks a server, as a browser would, or as nobody should.
struct ServedClient: Sendable {
  let port: UInt16
  let token: String

  /// Asks for a path behind the token, with headers as they are given.
  func ask(
    _ path: String, method: String = "GET", token: String? = nil, headers: [String]? = nil
  ) throws -> ServedView.Answer {
    try send(
      "\(method) /\(token ?? self.token)/\(path) HTTP/1.1",
      headers ?? ["Host: 127.0.0.1:\(port)"])
  }

  /// Asks for a path behind the token, and leaves the answer unread. Returns the connection.
  func begin(_ path: String) throws -> Int32 {
    try open("GET /\(token)/\(path) HTTP/1.1", ["Host: 127.0.0.1:\(port)"])
  }

  /// Connects, and sends a request.
  private func open(_ line: String, _ headers: [String]) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if connected != 0 { close(descriptor) }
    try #require(connected == 0)
    let text = ([line] + headers + ["Connection: close", "", ""]).joined(separator: "\r\n")
    _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    return descriptor
  }

  /// Sends a request and reads until the connection is closed.
  func send(_ line: String, _ headers: [String]) throws -> ServedView.Answer {
    let descriptor = try open(line, headers)
    defer { close(descriptor) }
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer[..<count])
    }
    var answer = ServedView.Answer()
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return answer }
    answer.head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    answer.body = bytes[end.upperBound...]
    answer.status = Int(answer.head.split(separator: " ")[1]) ?? 0
    return answer
  }
}
