internal import NIOHTTP1

/// Who may ask the viewer's server: the page that it served, and nobody else.
///
/// Every user of a machine reaches loopback, and so does every page in a browser, by a name that leads
/// there or from another origin. So each request has to carry the token in its path, the server's
/// own address as its only `Host`, and no sign of another origin. Nothing else gets an answer.
struct ViewerAccess: Sendable {
  /// 128 random bits.
  let token: String
  let port: Int

  /// Creates access by a new token.
  init(port: Int) {
    self.port = port
    var random = SystemRandomNumberGenerator()
    token = [random.next(), random.next()].map { (word: UInt64) in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// The address of the page.
  var address: String { "http://127.0.0.1:\(port)/\(token)/" }

  private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

  /// Returns what of a request's path follows the token, and its query; nil if it may not be
  /// answered.
  func admitted(_ head: HTTPRequestHead) -> (path: String, query: String)? {
    guard head.method == .GET else { return nil }
    let host = head.headers["host"]
    guard host.count == 1, hosts.contains(host[0]) else { return nil }
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard path.count == 2, path[0].isEmpty else { return nil }
    let rest = path[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard rest.count == 2, isToken(rest[0]), isOwn(head, isEntry: rest[1].isEmpty) else {
      return nil
    }
    return (String(rest[1]), parts.count == 2 ? String(parts[1]) : "")
  }

  /// Compares in a time that does not depend on where the first difference is.
  private func isToken(_ text: Substring) -> Bool {
    let (own, other) = (Array(token.utf8), Array(text.utf8))
    guard own.count == other.count else { return false }
    return zip(own, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Whether no other origin asks. The page itself is opened from elsewhere: a file, a terminal.
  private func isOwn(_ head: HTTPRequestHead, isEntry: Bool) -> Bool {
    let origins = head.headers["origin"]
    let own = hosts.map { "http://\($0)" }
    guard origins.count <= 1, origins.allSatisfy(own.contains) else { return false }
    switch head.headers.first(name: "sec-fetch-site") {
    case nil, "same-origin", "none": return true
    default:
      return isEntry && head.headers.first(name: "sec-fetch-mode") == "navigate"
        && head.headers.first(name: "sec-fetch-dest") == "document"
    }
  }

  /// The headers of every answer: nothing of it may be kept, embedded, or used by other origins, and
  /// the page may load from here alone.
  static let headers: [(String, String)] = [
    (
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"), ("cache-control", "no-store"),
  ]
}

/// The parameters of a query: `from=1&to=2`.
enum QueryText {
  static func parameters(_ query: String) -> [String: String] {
    var found: [String: String] = [:]
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2 { found[plain(pair[0])] = plain(pair[1]) }
    }
    return found
  }

  /// Text without the escapes of addresses.
  private static func plain(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
