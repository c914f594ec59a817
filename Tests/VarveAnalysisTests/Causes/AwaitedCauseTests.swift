import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// What a task got from an `await` is the cause of what it does then.
@Suite("Causes of what tasks do", .serialized)
struct AwaitedCauseTests {
  private let folder = TemporaryFolder()

  private func record(_ play: String) throws -> TraceReader {
    let path = folder.file("causes.varve")
    let run = try CommandRun([play, path], program: "CauseChild")
    try #require(run.status == 0, "\(run.output)\(run.errors)")
    let reader = try TraceReader(path: path)
    #expect(reader.losses.isEmpty)
    return reader
  }

  private func events(_ kind: RecordKind, of name: String, in reader: TraceReader) throws
    -> [TraceEvent]
  {
    let lookup = EventLookup(reader)
    let streams = reader.definitions.streams.values.filter { $0.name == name && $0.isNamed }
    let stream = try #require(streams.first).id
    return reader.names.compactMap { lookup[$0] }
      .filter { $0.kind == kind && $0.stream == stream }
  }

  /// The values of the named sources that led to an event.
  private func origins(of event: TraceEvent, in reader: TraceReader) throws -> [TraceEvent] {
    let lookup = EventLookup(reader)
    let graph = try #require(CausalGraph(of: event.name, in: lookup))
    return graph.events.values.filter { cause in
      let stream = reader.definitions.streams[cause.stream]
      return stream?.name.hasPrefix("source.") == true && stream?.isNamed == true
        && !cause.isHop && cause.name != event.name
    }
  }

  private func checkLineage(of name: String, in reader: TraceReader) throws -> Int {
    let events = try events(.value, of: name, in: reader)
    for event in events {
      let origins = try origins(of: event, in: reader)
      #expect(origins.map(\.payload.text) == [event.payload.text], "#\(event.name) \(name)")
    }
    return events.count
  }

  @Test("T3: what a task sends was caused by the value that it awaited, on whatever thread it is")
  func awaited() throws {
    let reader = try record("awaiting")
    #expect(try checkLineage(of: "results", in: reader) == 800)
    #expect(try checkLineage(of: "firsts", in: reader) == 8)
    // After the loop, the end of the stream is the cause.
    let ends = try events(.value, of: "ends", in: reader)
    #expect(ends.count == 8)
    for event in ends {
      let origins = try origins(of: event, in: reader)
      #expect(origins.map(\.kind) == [.completed])
      let source = origins.first.flatMap { reader.definitions.streams[$0.stream]?.name }
      #expect(source == "source.\(event.payload.word)")
    }
    // Who awaited nothing was caused by nothing, whatever its thread did before.
    let strangers = try events(.value, of: "strangers", in: reader)
    #expect(strangers.count == 400)
    #expect(strangers.allSatisfy { $0.causes.isEmpty })
  }

  @Test("T3: of thousands of tasks that wait at once, each names what it awaited itself")
  func crowd() throws {
    let reader = try record("crowd")
    let lookup = EventLookup(reader)
    // All at once: the causes lie far back.
    let events = Dictionary(
      uniqueKeysWithValues: reader.names.compactMap { lookup[$0] }.map { ($0.name, $0) })
    let streams = reader.definitions.streams.values
    let results = try #require(streams.first { $0.name == "results" && $0.isNamed }).id
    let sources = Set(
      streams.filter { $0.isNamed && $0.name.hasPrefix("source.") }.map(\.id))
    var count = 0
    for result in events.values where result.kind == .value && result.stream == results {
      var (origins, unseen) = (Set<String>(), result.causes)
      while let cause = unseen.popLast().flatMap({ events[$0] }) {
        unseen += cause.causes
        if cause.kind == .value, sources.contains(cause.stream) {
          origins.insert(cause.payload.text)
        }
      }
      #expect(origins == [result.payload.text])
      count += 1
    }
    #expect(count == 3_000)
  }

  @Test("T3: what a busy task does for somebody outside was not caused by what it awaited")
  func busy() throws {
    let reader = try record("busy task")
    let value = try #require(try events(.value, of: "busy", in: reader).first)
    #expect(try origins(of: value, in: reader).map(\.kind) == [.value])
    let end = try #require(try events(.completed, of: "busy", in: reader).first)
    #expect(end.causes == [])
    #expect(end.ring == value.ring)
  }

  @Test("T3: what an asynchronous function's producer sends goes back to what started it")
  func started() throws {
    let reader = try record("started")
    #expect(try checkLineage(of: "answers", in: reader) == 50)
  }
}
