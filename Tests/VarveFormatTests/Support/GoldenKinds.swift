import VarveFormat
import VarveProbe

/// A trace with what came into format 1.1: streams that say what kind they are, each in another way.
/// Like the other golden traces it never changes.
struct GoldenKinds {
  let header = TraceHeader.sample(
    clock: .counter(perSecond: 1_000_000_000), anchor: ClockAnchor(ticks: 1_000, monotonic: 77))

  /// By bit, what each stream of that number plus 100 is.
  static let bits: [StreamTraits] = [
    .hot, .joins, .needsAllInputs, .makesStreams, .runsSideBySide, .replaces, .hops,
    .startsElsewhere, .holds, .replays, .endsEarly, .swallows, .handlesFailure, .restarts,
    .standsIn,
    .renames, .hasEffects,
  ]

  let definitions: [TraceDefinition] =
    Self.bits.enumerated().map { .stream(Self.stream(100 + UInt32($0), $1)) } + [
      // Of no kind at all, which is not the same as of a kind that nobody knows.
      .stream(Self.stream(1, [])), .stream(Self.stream(2, nil)),
      // With bits that no version has a meaning for yet.
      .stream(Self.stream(3, StreamTraits(rawValue: .max))),
      .stream(
        StreamDefinition(
          id: 4, name: "results", derivation: "queries.flatMap(.merge)", operation: "flatMap(_:_:)",
          parents: [100], place: Place(file: "App/Search.swift", line: 7), valueType: "String",
          born: 9, absorbs: .ended, traits: [.makesStreams, .runsSideBySide, .joins], stack: 70_000)
      ),
    ]

  let records: RecordBytes = {
    var records = RecordBytes()
    for index in 0..<40 as Range<UInt64> {
      records.add(stream: UInt32(index % 4) + 1, ticks: 2_000 + index, payload: .integer(7))
    }
    return records
  }()

  private static func stream(_ id: UInt32, _ traits: StreamTraits?) -> StreamDefinition {
    StreamDefinition(
      id: id, name: "stream \(id)", derivation: "stream \(id)", operation: "kind", parents: [],
      place: nil, valueType: "Int", born: UInt64(id), traits: traits)
  }

  /// Writes the trace.
  func write(to path: String) throws {
    let writer = try TraceWriter(creating: path, header: header)
    try writer.append(definitions: definitions)
    try writer.append(records)
    try writer.finish(ending: .clean)
  }
}
