import Synchronization
import Testing
import VarveAnalysis
import VarveFormat
import VarveTraceScript

@testable import VarveExport

/// Long questions of the viewer, and those who do not wait for the answer.
@Suite("Interruptible reading")
struct InterruptibleReadingTests {
  private let folder = TemporaryFolder()
  private let sent = Sent()

  private final class Sent: Sendable {
    let progress = Atomic<Int>(0)
  }

  /// A trace of many blocks.
  private func reader() throws -> TraceReader {
    var script = TraceScript()
    let source = script.stream("source", line: 3)
    for turn in 0..<400 { script.value(source, "v\(turn)", at: Double(turn)) }
    let path = folder.file("long.varve")
    try script.write(to: path, blockEvents: 4)
    return try TraceReader(path: path)
  }

  /// Messages to somebody who goes away after some.
  private func messages(most: Int) -> ViewerMessages {
    ViewerMessages(
      isWanted: { [sent] in sent.progress.load(ordering: .relaxed) < most },
      send: { [sent] text in
        if text.hasPrefix("event: progress") { sent.progress.wrappingAdd(1, ordering: .relaxed) }
      })
  }

  @Test("whoever reads tells how far it is, and finds what it finds in the trace itself")
  func whole() throws {
    let reader = try reader()
    let reading = InterruptibleReading(messages(most: .max), of: reader.events, period: .zero)
    let history = try TraceHistory(reading(reader))
    #expect(!reading.isInterrupted && history.damage.isEmpty)
    #expect(history.events == reader.events)
    #expect(history.stream(1)?.values == 400)
    #expect(sent.progress.load(ordering: .relaxed) >= reader.blocks.count)
  }

  @Test("when nobody waits any more, no block is read")
  func interrupted() throws {
    let reader = try reader()
    let reading = InterruptibleReading(messages(most: 10), of: reader.events, period: .zero)
    let interrupted = reading(reader)
    let history = try TraceHistory(interrupted)
    #expect(reading.isInterrupted)
    #expect(history.events < reader.events / 2)
    #expect(interrupted.inflatedBlocks <= 10)
    // Nor is one afterwards; the trace itself is as it was.
    let read = interrupted.inflatedBlocks
    #expect(EventLookup(interrupted)[EventName(ring: 1, sequence: 5)] == nil)
    #expect(interrupted.inflatedBlocks == read)
    #expect(EventLookup(reader)[EventName(ring: 1, sequence: 5)] != nil)
  }

  @Test("two traces that are compared have one progress, and end together")
  func compared() throws {
    let reader = try reader()
    let reading = InterruptibleReading(messages(most: 20), of: reader.events * 2, period: .zero)
    _ = ViewerComparison.json(reading(reader), "left", reading(reader), "right")
    #expect(reading.isInterrupted)
    #expect(sent.progress.load(ordering: .relaxed) <= 20)
  }
}
