import Foundation
import Testing
import VarveAnalysis
import VarveExport
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Timelines of traces with so many blocks that a few of them tell what to draw.
@Suite("Timelines of long traces")
struct LongTimelineTests {
  /// What happens once, where no sample is taken.
  private enum Surprise: CaseIterable {
    case valueOfQuietStream, runOfSource, secondEnd, secondStart, unknownFeed, longGap
  }

  /// The streams of a trace.
  private struct Streams {
    let keys, hits, search, results, quiet: UInt32
  }

  private static let steps = 2_600

  /// A source, a stream after it, and runs of a producer, some of which fail or are cancelled, on
  /// three threads: four events a block.
  private static func script(_ surprise: Surprise? = nil) -> (TraceScript, Streams) {
    var script = TraceScript()
    let keys = script.stream("keys")
    let hits = script.stream("hits", "map(_:)", from: [keys])
    let search = script.stream("search", "SignalProducer")
    let results = script.stream("results", "flatMap(.latest, _:)", from: [hits])
    let quiet = script.stream("quiet")
    let streams = Streams(
      keys: keys, hits: hits, search: search, results: results, quiet: quiet)
    _ = script.subscribe(keys, to: hits, at: 0.1)
    _ = script.subscribe(hits, to: results, at: 0.2)
    // The block in which a stream occurs first is looked at: this one delivers nothing there.
    script.record(.absorbed, of: quiet, .reason(1), at: 0.3)
    for step in 0..<steps {
      let later = surprise == .longGap && step > 1_300 ? 9_000.0 : 0
      let time = Double(step) + 1 + later
      script.value(keys, "k\(step)", at: time)
      script.value(hits, "k\(step)", at: time + 0.1)
      let edge = script.subscribe(search, to: results, at: time + 0.2)
      let run = UInt64(100_000 + step)
      let ring = UInt32(2 + step % 2)
      if step % 3 != 0 {
        script.value(search, "r\(step)", at: time + 0.5, ring: ring, subscription: run)
        script.value(results, "r\(step)", at: time + 0.51, ring: ring)
        script.record(
          step % 50 == 1 ? .failed : .completed, of: search, at: time + 0.6, ring: ring,
          subscription: run)
      }
      script.end(
        edge, of: search, step % 3 == 0 ? .disposed : .completed, at: time + 0.7, ring: ring)
      if step == 1_303, let surprise { add(surprise, to: &script, streams, at: time + 0.8) }
    }
    return (script, streams)
  }

  private static func add(
    _ surprise: Surprise, to script: inout TraceScript, _ streams: Streams, at time: Double
  ) {
    switch surprise {
    case .valueOfQuietStream: script.value(streams.quiet, "once", at: time)
    case .runOfSource: script.value(streams.keys, "run", at: time, subscription: 7)
    case .secondEnd:
      script.record(.completed, of: streams.hits, at: time)
      script.record(.completed, of: streams.hits, at: time + 0.05)
    case .secondStart: _ = script.subscribe(streams.keys, to: streams.hits, at: time)
    case .unknownFeed: _ = script.subscribe(streams.quiet, to: streams.results, at: time)
    case .longGap: break
    }
  }

  private func draw(
    _ reader: TraceReader, sampling: Bool, width: Int = 100
  ) throws -> (picture: String, isReadOnce: Bool, damage: Int) {
    var options = Timeline.Options(width: width)
    (options.mostWithHops, options.maySample) = (0, sampling)
    let timeline = try Timeline(
      of: reader, selection: Selection(), options: options, style: .plain)
    let picture = TimelineTextRenderer(timeline, style: .plain).text()
    return (picture, timeline.isReadOnce, timeline.damage.count)
  }

  @Test("are read once, and look as if they had been read twice", arguments: [60, 80, 100, 200])
  func once(width: Int) throws {
    let reader = try Rendered(Self.script().0, blockEvents: 4).reader
    let quick = try draw(reader, sampling: true, width: width)
    #expect(quick.isReadOnce)
    #expect(try quick.picture == draw(reader, sampling: false, width: width).picture)
    #expect(quick.picture.contains("results"))
    #expect(!quick.picture.contains("quiet"))
  }

  @Test(
    "are read again if something happens that a look at a few blocks did not show",
    arguments: Surprise.allCases)
  private func surprised(_ surprise: Surprise) throws {
    let reader = try Rendered(Self.script(surprise).0, blockEvents: 4).reader
    let quick = try draw(reader, sampling: true)
    #expect(!quick.isReadOnce)
    #expect(try quick.picture == draw(reader, sampling: false).picture)
  }

  @Test("a block that cannot be read is reported, and drawn as missing")
  func damaged() throws {
    let rendered = try Rendered(Self.script().0, blockEvents: 4)
    let block = rendered.reader.blocks[rendered.reader.blocks.count / 2 + 3]
    let path = rendered.folder.file("trace.varve")
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[Int(block.offset ?? 0) + Int(block.storedBytes) - 1] ^= 0x55
    try bytes.write(to: URL(filePath: path))
    let reader = try TraceReader(path: path)
    let quick = try draw(reader, sampling: true)
    let slow = try draw(reader, sampling: false)
    #expect(!quick.isReadOnce)
    #expect(quick.damage > 0)
    #expect(quick.damage == slow.damage)
    #expect(quick.picture == slow.picture)
  }
}
