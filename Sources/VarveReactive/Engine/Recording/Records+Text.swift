internal import VarveProbe

extension Records {
  /// Returns a value as a line of text in the current trace may show it; a value that must not
  /// reach a trace is not shown at all.
  static func text<Value>(of value: Value) -> String {
    let wish = Wish(gate: Gate.word)
    if wish.contains(.withholdValues) { return "(withheld)" }
    if let own = value as? any TraceValue { return text(of: own.tracePayload) }
    if wish.contains(.typesOnly), case .general = PayloadForm(of: Value.self, wish: wish) {
      return "(\(Value.self))"
    }
    return BoundedDescription(of: value, most: RecordHead.longestText).text
  }

  private static func text(of payload: TracePayload) -> String {
    switch payload {
    case .unit: "()"
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .unsigned(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let boolean): "\(boolean)"
    case .string(let string): string
    case .bytes(let bytes): "\(bytes.count) bytes"
    case .withheld: "(withheld)"
    }
  }
}
