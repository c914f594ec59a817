import Testing
import VarveFormat
import VarveProbe

/// A trace, read whole: the file and what lies beside it.
struct RecordedTrace {
  struct Event: Equatable {
    var sequence: UInt64
    var ticks: UInt64
    var kind: UInt8
    var payload: UInt8
    var stream: UInt32
    var word: UInt64
    var text: String
  }

  let header: TraceHeader
  let ending: TraceEnding
  let losses: [TraceLoss]
  let streams: [UInt32: StreamDefinition]
  let threads: [UInt32: ThreadDefinition]
  /// By ring, in the order of sequence numbers.
  private(set) var rings: [UInt32: [Event]] = [:]

  /// What is wrong with a trace.
  struct Flaw: Error, CustomStringConvertible {
    var description: String
  }

  /// - Parameters:
  ///   - hasGaps: whether events may be missing between blocks.
  ///   - isAlone: whether the sidecar has been taken away, of which the reader warns.
  ///   - hasSurvived: whether the program has survived a fault, which the reader says, too.
  ///   - mayEndInBlock: whether the program may have died while it wrote a block. Whatever that held
  ///     is in the rings, too.
  init(
    _ path: String, hasGaps: Bool = false, isAlone: Bool = false, hasSurvived: Bool = false,
    mayEndInBlock: Bool = false
  ) throws {
    let reader = try TraceReader(path: path)
    guard reader.damage.allSatisfy({ mayEndInBlock && $0.offset + $0.bytes == reader.bytes }),
      reader.warnings.count(where: { $0.contains("let it go on") }) == (hasSurvived ? 1 : 0),
      reader.warnings.count == (isAlone ? 1 : 0) + (hasSurvived ? 1 : 0),
      reader.lacksSidecar == isAlone
    else {
      throw Flaw(description: "\(reader.damage) \(reader.warnings)")
    }
    header = reader.header
    ending = reader.ending
    losses = reader.losses
    streams = reader.definitions.streams
    threads = reader.definitions.threads
    var columns = EventColumns()
    for index in reader.blocks.indices {
      try reader.decode(index, into: &columns, columns: .all)
      try add(columns, hasGaps: hasGaps)
    }
  }

  private mutating func add(_ columns: EventColumns, hasGaps: Bool) throws {
    let last = rings[columns.ring]?.last?.sequence ?? 0
    guard columns.firstSequence == last + 1 || hasGaps && columns.firstSequence > last else {
      throw Flaw(
        description: "ring \(columns.ring): event \(columns.firstSequence) follows \(last)")
    }
    var events = rings.removeValue(forKey: columns.ring) ?? []
    for index in 0..<columns.count {
      let text = columns.heap[Int(columns.textStarts[index])..<Int(columns.textStarts[index + 1])]
      events.append(
        Event(
          sequence: columns.firstSequence + UInt64(index), ticks: columns.ticks[index],
          kind: columns.kinds[index], payload: columns.payloadKinds[index],
          stream: columns.streams[index], word: columns.words[index],
          text: text.isEmpty ? "" : String(decoding: text, as: UTF8.self)))
    }
    rings[columns.ring] = events
  }

  /// How many events there are.
  var count: Int { rings.values.reduce(0) { $0 + $1.count } }

  /// The integers that a stream delivered, of a stream that one thread sends on.
  func integers(of stream: UInt32) -> [UInt64] {
    rings.sorted { $0.key < $1.key }.flatMap(\.value)
      .filter { $0.kind == RecordKind.value.rawValue && $0.stream == stream }.map(\.word)
  }

  /// The ring whose thread sent on a stream; nil when nothing of it is there.
  func ring(of stream: UInt32) -> UInt32? {
    rings.first { $0.value.contains { $0.stream == stream } }?.key
  }
}

extension RecordedTrace: CustomTestStringConvertible {
  /// Short: a failed expectation prints it.
  var testDescription: String {
    "\(count) events in \(rings.count) rings, ended \(ending), losses \(losses.prefix(20))"
  }
}
