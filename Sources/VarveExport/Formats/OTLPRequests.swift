/// An attribute of a span, an event or a process.
struct OTLPAttribute {
  enum Value {
    case text(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
  }

  private let key: String
  private let value: Value

  init(_ key: String, _ value: Value) {
    self.key = key
    self.value = value
  }

  var json: String {
    let value =
      switch value {
      case .text(let text): "\"stringValue\":\(JSONText.quoted(text))"
      case .integer(let number): "\"intValue\":\"\(number)\""
      case .real(let number): "\"doubleValue\":\(RealText.json(number))"
      case .boolean(let flag): "\"boolValue\":\(flag)"
      }
    return "{\"key\":\"\(key)\",\"value\":{\(value)}}"
  }

  var message: ProtobufMessage {
    ProtobufMessage { message in
      message.add(1, key)
      message.add(
        2,
        ProtobufMessage {
          switch value {
          case .text(let text): $0.add(1, text)
          case .boolean(let flag): $0.add(2, flag ? 1 : 0)
          case .integer(let number): $0.add(3, UInt64(bitPattern: number))
          case .real(let number): $0.add(4, fixed: number.bitPattern)
          }
        })
    }
  }
}

/// The spans of a trace as requests in protobuf. Each is whole: a collector can take one and refuse
/// the next.
package final class OTLPRequests {
  private let post: ([UInt8], Int) -> Void
  private var resource = ProtobufMessage()
  private var spans = ProtobufMessage()
  private var count = 0

  /// The number of spans in a request, and the size in bytes, from which it is sent.
  private static let mostSpans = 512
  private static let mostBytes = 1 << 20

  /// Prepares to make requests. `post` takes the bytes of each, and the number of its spans.
  package init(_ post: @escaping ([UInt8], Int) -> Void) { self.post = post }

  func describe(_ attributes: [OTLPAttribute]) {
    resource = ProtobufMessage { for attribute in attributes { $0.add(1, attribute.message) } }
  }

  func add(_ span: ProtobufMessage) {
    spans.add(2, span)
    count += 1
    if count >= Self.mostSpans || spans.bytes.count >= Self.mostBytes { send() }
  }

  /// Sends the spans that have not been sent.
  package func send() {
    guard count > 0 else { return }
    var scope = ProtobufMessage { $0.add(1, ProtobufMessage { $0.add(1, "varve") }) }
    scope.append(spans)
    let request = ProtobufMessage { request in
      request.add(
        1,
        ProtobufMessage {
          $0.add(1, resource)
          $0.add(2, scope)
        })
    }
    post(request.bytes, count)
    spans = ProtobufMessage()
    count = 0
  }
}
