internal import VarveProbe

extension Records {
  /// A value as a line of text may show it in the trace that is being recorded: not at all, when it
  /// must not reach a trace.
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
