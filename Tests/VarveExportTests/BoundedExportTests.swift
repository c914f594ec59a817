import Testing
import VarveAnalysis
import VarveFormat
import VarveMarbles
import VarveProbe
import VarveTraceScript

@testable import VarveExport

/// What is written of a trace whose work and runs never end takes no more memory than it may.
@Suite("Exports with a bound")
struct BoundedExportTests {
  private let folder = TemporaryFolder()

  private func flood(
    _ events: UInt64, _ definitions: [TraceDefinition] = [],
    _ record: (UInt64) -> FloodedTrace.Record
  ) throws -> TraceReader {
    let path = folder.file("flood.varve")
    try FloodedTrace.write(to: path, events: events, definitions: definitions, record)
    return try TraceReader(path: path)
  }

  private let stream = TraceDefinition.stream(
    StreamDefinition(
      id: 1, name: "named", derivation: "s", operation: "producer", parents: [], place: nil,
      valueType: "Int", born: 0))

  /// Exports all of a trace as spans; returns what was passed over.
  private func exportSpans(of reader: TraceReader, to output: ByteOutput) throws -> PassedOver {
    let words = TraceWords(reader, pid: 1, style: .plain)
    var exporter = OTLPExporter(words, header: reader.header, output: output)
    exporter.begin()
    var query = try EventQuery(Selection(), in: reader, columns: .all)
    query.run { page in
      exporter.write(page)
      return true
    }
    exporter.end()
    return exporter.passedOver
  }

  @Test("F2: spans that stay open are kept up to a bound, and those beyond are counted")
  func spans() throws {
    let reader = try flood(81_920) {
      FloodedTrace.Record(.subscribed, of: 1, subscription: $0, .stream, 0)
    }
    var lines = 0
    let output = ByteOutput { part in
      lines += part.count { $0 == UInt8(ascii: "\n") }
      return nil
    }
    let passedOver = try exportSpans(of: reader, to: output)
    output.flush()
    // A line for each span, the first one and the last one.
    #expect(passedOver.observations > 0)
    #expect(UInt64(lines - 2) + passedOver.observations == 81_920)
  }

  @Test("F2: what a span that has ended took is free for others")
  func spansComeAndGo() throws {
    let reader = try flood(98_304) { number in
      FloodedTrace.Record(
        number % 2 == 1 ? .subscribed : .ended, of: 1, subscription: (number + 1) / 2, .stream, 0)
    }
    #expect(try exportSpans(of: reader, to: ByteOutput { _ in nil }) == PassedOver())
  }

  @Test("F2: slices that do not end are remembered up to a bound, and those beyond are not begun")
  func slices() throws {
    let reader = try flood(1) { _ in FloodedTrace.Record(.value, of: 1) }
    let walk = TraceWords(reader, pid: 1, style: .plain).walk
    var hops = WalkTable<UInt64, Void>(walk, bytes: 48, of: .work)
    var begun: UInt64 = 0
    while begun < 2_000_000, hops.set((), for: begun + 1) { begun += 1 }
    #expect(begun > 100_000 && begun < 1_000_000)
    #expect(walk.passedOver.work == 1)
    let ends = [begun + 1, 1, 1].map { hops.removeValue(forKey: $0) != nil }
    #expect(ends == [false, true, false])
    let hasRoom = hops.set((), for: begun + 2)
    #expect(hasRoom)
  }

  @Test("F2: runs that do not end are drawn, also those that cannot be remembered")
  func runs() throws {
    let reader = try flood(1) { _ in FloodedTrace.Record(.value, of: 1) }
    let walk = TraceWalk(reader)
    var lanes = StreamLanes(name: "s", depth: 0, columns: 40, hasRuns: true, walk)
    for run in 1...300_000 as ClosedRange<UInt64> {
      lanes.value(
        run: run, at: Int(run / 10_000), tag: LaneTag(sequence: run, time: run), text: { "1" })
    }
    #expect(!walk.take(1_024))
    #expect(lanes.tracks.count == 4)
    #expect(walk.passedOver.observations == 300_000 - (32 << 20) / 128)
  }

  @Test("F2: more runs than a test could eat are refused")
  func marbles() throws {
    let reader = try flood(81_920, [stream]) {
      FloodedTrace.Record(.value, of: 1, subscription: $0)
    }
    let words = TraceWords(reader, pid: 1, style: .plain)
    let error = #expect(throws: SelectionError.self) {
      _ = try ExactMarbles(of: reader, selection: Selection(), words: words)
    }
    #expect(error?.description.contains("--since") == true)
  }
}
