public import VarveFormat

extension TraceReader {
  /// What all events are called, block after block.
  public var names: [EventName] {
    blocks.flatMap { block in (0..<block.count).map(block.name) }
  }
}

extension EventName: ExpressibleByStringLiteral {
  /// A name in a test: `"4.1749"`.
  public init(stringLiteral text: String) {
    guard let name = EventName(text) else { preconditionFailure("\(text) is no event's name") }
    self = name
  }
}
