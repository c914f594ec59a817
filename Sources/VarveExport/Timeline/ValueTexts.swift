internal import VarveAnalysis
internal import VarveFormat

/// The texts of values on lanes. Few of them are shown, so payloads are decoded when one is asked for.
final class ValueTexts {
  private let source: any EventSource
  private let ascii: Bool
  /// The last block of each thread that was decoded.
  private var decoded: [UInt32: (block: Int, columns: EventColumns)] = [:]

  private static let mostDecoded = 8

  init(_ source: any EventSource, ascii: Bool) {
    self.source = source
    self.ascii = ascii
  }

  /// Returns the text of an event of a block; empty if its payload cannot be read.
  func text(of event: EventName, in block: Int) -> String {
    let summary = source.blocks[block]
    guard let index = summary.index(of: event) else { return "" }
    var known = decoded.removeValue(forKey: summary.ring) ?? (-1, EventColumns())
    if known.block != block {
      known.block = block
      do {
        try source.decode(block, into: &known.columns, columns: .payloads)
      } catch { return "" }
    }
    if decoded.count >= Self.mostDecoded { decoded = [:] }
    defer { decoded[summary.ring] = known }
    let columns = known.columns
    let (start, end) = (Int(columns.textStarts[index]), Int(columns.textStarts[index + 1]))
    return columns.heap.withUnsafeBufferPointer { heap in
      MarbleText.text(
        payload: columns.payloadKinds[index], word: columns.words[index],
        bytes: UnsafeBufferPointer(rebasing: heap[start..<end]), ascii: ascii)
    }
  }
}
