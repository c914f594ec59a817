internal import VarveExport

/// Takes output and keeps it, line by line.
final class LineGatherer {
  private var bytes: [UInt8] = []

  /// An output whose lines are kept here.
  func output() -> ByteOutput {
    ByteOutput { [self] buffer in
      bytes += buffer
      return nil
    }
  }

  /// How many bytes are kept.
  var count: Int { bytes.count }

  /// The lines, without their breaks.
  var lines: [String] {
    bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
      .dropLast().map { String(decoding: $0, as: UTF8.self) }
  }
}
