internal import VarveAnalysis
internal import VarveProbe

/// Writes the payload of an event, for people.
struct PayloadText {
  /// Returns the greatest number of bytes that a payload of `textBytes` bytes takes, including
  /// what is written around it.
  static func mostBytes(_ textBytes: Int) -> Int { TerminalText.mostBytes(textBytes) + 64 }

  let cells: EventCells
  let ascii: Bool

  /// Writes the payload of an event that does not concern a hop.
  @inline(__always)
  func write(
    kind: UInt8, payload: UInt8, word: UInt64, text: UnsafeBufferPointer<UInt8>, to pen: inout Pen
  ) {
    if payload == PayloadKind.integer.rawValue {
      return pen.put(decimal: Int64(bitPattern: word))
    }
    switch PayloadKind(rawValue: payload) {
    case .unsigned: pen.put(decimal: word)
    case .string where kind == RecordKind.value.rawValue || text.isEmpty:
      TerminalText.write(text, quoted: true, ascii: ascii, to: &pen)
      tellCut(text, word, to: &pen)
    case .description where PlainDescription.mayShorten(text):
      writePlain(text, to: &pen)
      tellCut(text, word, to: &pen)
    case .string, .description:
      TerminalText.write(text, quoted: false, ascii: ascii, to: &pen)
      tellCut(text, word, to: &pen)
    default: writeRare(kind: kind, payload: payload, word: word, text: text, to: &pen)
    }
  }

  private func writeRare(
    kind: UInt8, payload: UInt8, word: UInt64, text: UnsafeBufferPointer<UInt8>, to pen: inout Pen
  ) {
    guard let known = PayloadKind(rawValue: payload) else {
      return pen.put("(written by a newer version)")
    }
    switch known {
    case .absent, .integer, .unsigned, .string, .description, .cause: return
    case .unit: pen.put("()")
    case .null: pen.put("nil")
    case .real: pen.put(text: Double(bitPattern: word).description)
    case .boolean: if word != 0 { pen.put("true") } else { pen.put("false") }
    case .bytes: writeBytes(text, word, to: &pen)
    case .typeOnly:
      pen.put("(")
      writePlain(text, to: &pen)
      pen.put(")")
    case .withheld: pen.put("(withheld)")
    case .stream where kind == RecordKind.read.rawValue: pen.put("its changes")
    case .stream: writeEdge(UInt32(truncatingIfNeeded: word), to: &pen)
    case .reason: pen.put(text: ReasonNames.name(kind: kind, payload: payload, word: word) ?? "")
    case .task: pen.put(text: "task \(TaskRunPayload(word: word).task)")
    case .awaited: pen.put(text: TaskAwaitPayload(word: word).phrase)
    case .made:
      let creator = TaskCreationPayload(word: word).creator
      if creator != 0 { pen.put(text: "by task \(creator)") }
    }
  }

  /// Writes a description, or the name of a type, without modules.
  private func writePlain(_ text: UnsafeBufferPointer<UInt8>, to pen: inout Pen) {
    var plain = PlainDescription.of(String(decoding: text, as: UTF8.self))
    plain.withUTF8 { TerminalText.write($0, quoted: false, ascii: ascii, to: &pen) }
  }

  private func writeEdge(_ fed: UInt32, to pen: inout Pen) {
    if ascii { pen.put("-> ") } else { pen.put("→ ") }
    if fed == 0 { return pen.put("an observer") }
    pen.put(text: cells.name(ofStream: fed))
  }

  private func writeBytes(
    _ bytes: UnsafeBufferPointer<UInt8>, _ original: UInt64, to pen: inout Pen
  ) {
    pen.put("<")
    for byte in bytes { TerminalText.putHex(byte, to: &pen) }
    pen.put(">")
    tellCut(bytes, original, to: &pen)
  }

  /// Writes the original size of a text that the recorder shortened.
  @inline(__always)
  private func tellCut(_ text: UnsafeBufferPointer<UInt8>, _ original: UInt64, to pen: inout Pen) {
    guard original > UInt64(text.count) else { return }
    if ascii { pen.put("... (") } else { pen.put("… (") }
    pen.put(decimal: original)
    pen.put(" bytes)")
  }
}
