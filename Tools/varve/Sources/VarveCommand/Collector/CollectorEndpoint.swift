internal import VarvePlatform

/// Where a collector of OpenTelemetry listens and how it is spoken to, as options and the standard
/// variables say.
struct CollectorEndpoint: Equatable {
  var host: String
  var port: Int
  /// The path of the request, with what the address asks for.
  var path: String
  /// The name that the request has for the host.
  var authority: String
  var headers: [Header] = []
  var isCompressed = true
  /// The time that one request may take, in milliseconds.
  var timeout: Int64 = 10_000

  struct Header: Equatable {
    var name: String
    var value: String
  }

  /// What OpenTelemetry appends to an address that is not that of traces alone.
  private static let standardPath = "/v1/traces"
  private static let standardPort = 4318

  /// Reads the options and variables; nil if none of them names a collector.
  ///
  /// - Parameters:
  ///   - option: the address in the command line, which goes before the variables.
  ///   - environment: returns the value of a variable.
  init?(
    option: String?, environment: (String) -> String? = { Environment[$0] }
  ) throws(CommandEnd) {
    func variable(_ name: String) -> String? {
      let all = ["OTEL_EXPORTER_OTLP_TRACES_\(name)", "OTEL_EXPORTER_OTLP_\(name)"]
      return all.lazy.compactMap(environment).first { !$0.isEmpty }
    }
    if let option {
      try self.init(address: option, from: "--otlp", appends: false)
    } else if let own = environment("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), !own.isEmpty {
      try self.init(address: own, from: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", appends: false)
    } else if let base = environment("OTEL_EXPORTER_OTLP_ENDPOINT"), !base.isEmpty {
      try self.init(address: base, from: "OTEL_EXPORTER_OTLP_ENDPOINT", appends: true)
    } else {
      return nil
    }
    if let wanted = variable("PROTOCOL"), wanted != "http/protobuf" {
      throw CommandEnd(
        .wrongUsage,
        "OTEL_EXPORTER_OTLP_PROTOCOL is \(wanted); varve speaks http/protobuf, on port 4318 of a collector"
      )
    }
    if let text = variable("HEADERS") { headers = try Self.headers(text) }
    switch variable("COMPRESSION") {
    case "gzip", nil: isCompressed = true
    case "none": isCompressed = false
    case let other?:
      throw CommandEnd(
        .wrongUsage, "OTEL_EXPORTER_OTLP_COMPRESSION is \(other); it can be gzip or none")
    }
    if let text = variable("TIMEOUT") {
      guard let milliseconds = Int64(text), milliseconds > 0, milliseconds < 1 << 40 else {
        throw CommandEnd(
          .wrongUsage, "OTEL_EXPORTER_OTLP_TIMEOUT is \(text); it is a number of milliseconds")
      }
      timeout = milliseconds
    }
  }

  private init(address: String, from source: String, appends: Bool) throws(CommandEnd) {
    guard !address.hasPrefix("https://") else {
      throw CommandEnd(
        .wrongUsage,
        "\(source): varve does not speak https; send to a collector on this machine, "
          + "http://localhost:4318, and let it forward to \(address)")
    }
    let wrong = CommandEnd(
      .wrongUsage,
      "\(source): \"\(address)\" is no address of a collector; one is "
        + "http://localhost:4318")
    guard address.hasPrefix("http://") else { throw wrong }
    let rest = address.dropFirst("http://".count)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    authority = String(rest[..<end])
    let isPlain = { (text: Substring) in
      text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }
    guard !authority.contains("@"), isPlain(rest) else { throw wrong }
    var name = Substring(authority)
    port = Self.standardPort
    // An address of version 6 has colons of its own, and brackets around them.
    let bracket = name.lastIndex(of: "]") ?? name.startIndex
    if let colon = name[bracket...].firstIndex(of: ":") {
      guard let number = UInt16(name[name.index(after: colon)...]), number > 0 else { throw wrong }
      port = Int(number)
      name = name[..<colon]
    } else {
      authority += ":\(port)"
    }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    guard !name.isEmpty else { throw wrong }
    host = String(name)
    var path = String(rest[end...])
    if appends {
      while path.hasSuffix("/") { path.removeLast() }
      path += Self.standardPath
    } else if path.isEmpty || path == "/" {
      path = Self.standardPath
    }
    self.path = path
  }

  /// Reads `key=value,key2=value2`, where `%20` and the like stand for characters.
  private static func headers(_ text: String) throws(CommandEnd) -> [Header] {
    var headers: [Header] = []
    for pair in text.split(separator: ",") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = trimmed(halves[0])
      let isToken = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x3a }
      guard halves.count == 2, !name.isEmpty, isToken, let value = decoded(trimmed(halves[1]))
      else {
        throw CommandEnd(
          .wrongUsage, "OTEL_EXPORTER_OTLP_HEADERS: \"\(pair)\" is not of the form key=value")
      }
      headers.append(Header(name: name, value: value))
    }
    return headers
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }

  /// Returns the text with percent signs resolved; nil if it could end the header.
  private static func decoded(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
