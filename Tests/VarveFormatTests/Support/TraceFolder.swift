import Foundation
package import VarveFormat

/// A folder for a test's files that goes away with the test.
final class TraceFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("varve-format-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// A path for a file of that name.
  func path(_ name: String = "run.varve") -> String { url.appendingPathComponent(name).path }

  /// Writes a file and returns its path.
  func write(_ bytes: [UInt8], to name: String = "run.varve") throws -> String {
    let path = path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// A file's bytes.
  func read(_ name: String = "run.varve") throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }
}

extension TraceHeader {
  /// A header for tests; its times are ticks.
  static func sample(
    id: TraceID = TraceID(low: 0x0123_4567_89ab_cdef, high: 0xfedc_ba98_7654_3210),
    clock: TraceClock = .monotonic, anchor: ClockAnchor = ClockAnchor(ticks: 0, monotonic: 0)
  ) -> TraceHeader {
    TraceHeader(
      id: id,
      process: ProcessDescription(
        program: "/usr/bin/search", arguments: ["search", "--verbose"], pid: 4711, host: "host",
        started: 1_700_000_000_000_000_000),
      clock: clock, anchor: anchor)
  }
}

extension TraceWriter {
  /// Appends records.
  func append(_ records: RecordBytes, ring: UInt32 = 1) throws {
    try records.bytes.withUnsafeBytes {
      try append(records: $0, ring: ring, firstSequence: records.firstSequence)
    }
  }
}

extension TraceReader {
  /// All events of a block.
  func columns(_ block: Int, _ wanted: ColumnSet = .all) throws -> EventColumns {
    var columns = EventColumns()
    try decode(block, into: &columns, columns: wanted)
    return columns
  }

  /// The events of all blocks that can be read.
  func readableBlocks() -> [EventColumns] {
    blocks.indices.compactMap { try? columns($0) }
  }
}

extension EventColumns: Equatable {
  /// Whether both tell the same of the same records; their numbers in the trace do not count.
  package static func == (one: EventColumns, other: EventColumns) -> Bool {
    one.count == other.count && one.ring == other.ring && one.firstSequence == other.firstSequence
      && one.ticks == other.ticks && one.kinds == other.kinds && one.streams == other.streams
      && one.subscriptions == other.subscriptions && one.backs == other.backs
      && one.payloadKinds == other.payloadKinds && one.words == other.words
      && one.textStarts == other.textStarts && one.heap == other.heap
      && one.farCauses.elementsEqual(other.farCauses) { $0 == $1 }
  }
}

extension EventColumns {
  /// Each event as a line, for comparing.
  var lines: [String] {
    (0..<count).map { index in
      let text = heap[Int(textStarts[index])..<Int(textStarts[index + 1])]
      let far = farCauses.filter { $0.index == index }.map {
        "\($0.cause.ring)/\($0.cause.sequence)"
      }
      return """
        \(ring)/\(firstSequence + UInt64(index)) \(ticks[index]) \(kinds[index]) \(streams[index]) \
        \(subscriptions[index]) \(backs[index]) \(payloadKinds[index]) \(words[index]) \
        \(String(decoding: text, as: UTF8.self)) \(far)
        """
    }
  }
}
