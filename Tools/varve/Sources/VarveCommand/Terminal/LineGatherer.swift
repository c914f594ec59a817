internal import VarveExport

/// Collects output line by line.
final class LineGatherer {
  private var bytes: [UInt8] = []

  /// Returns an output whose lines are collected.
  func output() -> ByteOutput {
    ByteOutput { [self] buffer in
      bytes += buffer
      return nil
    }
  }

  /// The collected lines, without line breaks.
  var lines: [String] {
    bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
      .dropLast().map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the collected lines, and forgets them.
  func take() -> [String] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return lines
  }
}
