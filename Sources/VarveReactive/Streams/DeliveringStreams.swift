/// Returns the names of the streams that are delivering on the calling thread, outermost first.
///
/// This function can be called from anywhere, including a debugger: in an observer, in code that an
/// observer calls, or in a function that knows nothing of streams. Outside all deliveries, the
/// result is empty.
///
///     func save(_ text: String) {
///       print(deliveringStreams().joined(separator: " → "))  // keystrokes → query → results
///     }
///
/// A producer of one value, `SignalProducer(value:)`, delivers without a serializer while no
/// recording is running, and is then not named; the streams around it are.
///
/// - Complexity: O(n) in the number of stages on the way. Names are rendered in this call.
public func deliveringStreams() -> [String] {
  Serializer.path(through: Serializer.delivering[...]).map(\.name)
}

extension Serializer {
  /// Returns the streams that the deliveries in progress pass through, as far as they lie in
  /// `serializers`.
  static func path(through serializers: ArraySlice<Serializer>) -> [StreamIdentity] {
    var path: [StreamIdentity] = []
    for identity in serializers.flatMap(\.deliveryPath) where path.last !== identity {
      path.append(identity)
    }
    return path
  }

  /// The streams that the delivery in progress passes through, as far as they share this
  /// serializer.
  var deliveryPath: [StreamIdentity] {
    var path = rootStream.map { [$0] } ?? []
    var next = firstObserver
    while let observer = next {
      if let identity = observer.fedIdentity, path.last !== identity { path.append(identity) }
      next = observer.passesTo
    }
    return path
  }
}
