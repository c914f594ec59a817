/// The spans of a trace as requests in protobuf. Each is whole: a collector can take one and refuse
/// the next.
package final class OTLPRequests {
  private let post: ([UInt8], Int) -> Void
  private struct Part {
    /// What the spans are of, as the fields of a `Resource`.
    let resource = ByteOutput(keeping: 1 << 10)
    /// The spans that have not been sent, as fields of a `ScopeSpans`.
    let spans: ByteOutput
  }

  /// The spans of each process, by its place.
  private var parts: [Int: Part] = [:]
  private var count = 0

  /// The number of spans in a request, and the size in bytes, from which it is sent.
  private static let mostSpans = 512
  private static let mostBytes = 1 << 20

  /// Prepares to make requests. `post` takes the bytes of each, and the number of its spans.
  package init(_ post: @escaping ([UInt8], Int) -> Void) { self.post = post }

  /// Returns the output for spans of a process, which `describe` describes when it is needed.
  func spans(of process: Int, _ describe: (ByteOutput) -> Void) -> ByteOutput {
    if let part = parts[process] { return part.spans }
    let part = Part(spans: ByteOutput(keeping: parts.isEmpty ? 1 << 16 : 1 << 12))
    describe(part.resource)
    parts[process] = part
    return part.spans
  }

  /// Counts a span that was written to one of the outputs.
  func added() {
    count += 1
    let bytes = parts.values.reduce(0) { $0 + $1.spans.kept.count }
    if count >= Self.mostSpans || bytes >= Self.mostBytes { send() }
  }

  /// Sends the spans that have not been sent.
  package func send() {
    guard count > 0 else { return }
    let request = ProtobufMessage { request in
      for (_, part) in parts.sorted(by: { $0.key < $1.key }) where !part.spans.kept.isEmpty {
        var scope = ProtobufMessage { $0.add(1, ProtobufMessage { $0.add(1, "varve") }) }
        scope.append(part.spans.kept)
        request.add(
          1,
          ProtobufMessage {
            $0.add(1, Array(part.resource.kept))
            $0.add(2, scope)
          })
      }
    }
    post(request.bytes, count)
    // The memory of one is used again; that of many together is too large to be kept.
    if parts.count > 1 { parts = [:] } else { parts.values.first?.spans.clear() }
    count = 0
  }
}
