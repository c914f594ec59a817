/// The spans of a trace as requests in protobuf. Each is whole: a collector can take one and refuse
/// the next.
package final class OTLPRequests {
  private let post: ([UInt8], Int) -> Void
  /// What the spans are of, as the fields of a `Resource`.
  let resource = ByteOutput(keeping: 1 << 10)
  /// The spans that have not been sent, as fields of a `ScopeSpans`.
  let spans = ByteOutput(keeping: 1 << 16)
  private var count = 0

  /// The number of spans in a request, and the size in bytes, from which it is sent.
  private static let mostSpans = 512
  private static let mostBytes = 1 << 20

  /// Prepares to make requests. `post` takes the bytes of each, and the number of its spans.
  package init(_ post: @escaping ([UInt8], Int) -> Void) { self.post = post }

  /// Counts a span that was written to `spans`.
  func added() {
    count += 1
    if count >= Self.mostSpans || spans.kept.count >= Self.mostBytes { send() }
  }

  /// Sends the spans that have not been sent.
  package func send() {
    guard count > 0 else { return }
    var scope = ProtobufMessage { $0.add(1, ProtobufMessage { $0.add(1, "varve") }) }
    scope.append(spans.kept)
    let request = ProtobufMessage { request in
      request.add(
        1,
        ProtobufMessage {
          $0.add(1, Array(resource.kept))
          $0.add(2, scope)
        })
    }
    post(request.bytes, count)
    spans.clear()
    count = 0
  }
}
