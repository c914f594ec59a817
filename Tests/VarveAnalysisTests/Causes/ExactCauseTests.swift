import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// What a trace says of causes, compared with values that carry where they came from.
@Suite("Causes of a program that knows them", .serialized)
struct ExactCauseTests {
  private let folder = TemporaryFolder()

  private func record(_ play: String) throws -> TraceReader {
    let path = folder.file("causes.varve")
    let run = try CommandRun([play, path], program: "CauseChild")
    try #require(run.status == 0, "\(run.output)\(run.errors)")
    return try TraceReader(path: path)
  }

  /// The numbers that a value carries, or nil when it is none of the program's.
  private func lineage(_ event: TraceEvent) -> Set<Int>? {
    guard event.kind == .value, event.payload.kind == .string else { return nil }
    let text = event.payload.text
    guard text.hasPrefix("from ") else { return nil }
    return Set(text.dropFirst(5).split(separator: ",").compactMap { Int($0) })
  }

  private func sources(_ reader: TraceReader) -> Set<UInt32> {
    Set(
      reader.definitions.streams.values.filter { $0.name.hasPrefix("source.") && $0.isNamed }
        .map(\.id))
  }

  @Test(
    "T3: through eight schedulers, joins, flattening, recursion and cancellation, the causes of each value are exactly the source values that it was made of"
  )
  func exact() throws {
    let reader = try record("eight schedulers")
    #expect(reader.losses.isEmpty)
    let lookup = EventLookup(reader)
    let sources = sources(reader)
    var checked: [String: Int] = [:]
    for name in reader.names {
      let event = try #require(lookup[name])
      guard let expected = lineage(event), !expected.isEmpty else { continue }
      let stream = reader.definitions.streams[event.stream]?.name ?? ""
      let graph = try #require(CausalGraph(of: name, in: lookup))
      let found = Set(
        graph.events.values.filter { sources.contains($0.stream) }.compactMap(lineage).joined())
      #expect(found == expected, "#\(event.name) \(stream)")
      if found != expected { return }
      checked[stream, default: 0] += 1
    }
    for name in [
      "crossing", "delayed", "combined", "zipped", "merged", "latest", "sampled", "paired",
      "collected", "previous", "all", "property", "loop", "slowly",
    ] {
      #expect(checked[name, default: 0] > 0, "no value of \(name) was checked")
    }
    #expect(checked["merged"] == 600)
    #expect(checked["loop"] == 800)
  }

  @Test("T3: a stream that a newer one replaced was interrupted because of the newer one's value")
  func cancellation() throws {
    let reader = try record("eight schedulers")
    let lookup = EventLookup(reader)
    let sources = sources(reader)
    let slowly = try #require(reader.definitions.streams.values.first { $0.name == "slowly" })
    var replacing: [Int] = []
    for name in reader.names {
      let event = try #require(lookup[name])
      guard event.kind == .interrupted, event.stream == slowly.id else { continue }
      let graph = try #require(CausalGraph(of: name, in: lookup))
      let values = graph.events.values.filter { sources.contains($0.stream) }.compactMap(lineage)
      #expect(values.count == 1, "#\(event.name) was caused by \(values)")
      replacing += values.joined()
    }
    #expect(replacing.count > 100)
    #expect(Set(replacing).count == replacing.count)
    #expect(replacing.allSatisfy { $0 > 3_000 })
  }

  @Test("T3: what joins values names one of each input, itself and not by way of others")
  func joins() throws {
    let reader = try record("eight schedulers")
    let lookup = EventLookup(reader)
    let joining = reader.definitions.streams.values.filter { stream in
      ["combineLatest(", "zip(", "withLatest(", "sample("].contains {
        stream.operation.hasPrefix($0)
      }
    }
    #expect(joining.count == 4)
    var checked: [UInt32: Int] = [:]
    for name in reader.names {
      let event = try #require(lookup[name])
      guard event.kind == .value, joining.contains(where: { $0.id == event.stream }) else {
        continue
      }
      #expect(event.causes.count >= 2, "#\(event.name)")
      // Neither of them is an ancestor of the other: that would be one way, told twice.
      let first = try #require(CausalGraph(of: event.causes[0], in: lookup))
      #expect(event.causes.dropFirst().allSatisfy { first.events[$0] == nil }, "#\(event.name)")
      checked[event.stream, default: 0] += 1
    }
    #expect(checked.count == 4 && checked.values.allSatisfy { $0 > 50 }, "\(checked)")
  }

  @Test("T3: each end of a subscription names what ended it: the stream's own end, or who disposed")
  func ends() throws {
    let reader = try record("eight schedulers")
    let lookup = EventLookup(reader)
    let sources = sources(reader)
    let ofStream: [EndReason: RecordKind] = [
      .completed: .completed, .failed: .failed, .interrupted: .interrupted,
    ]
    var checked: [EndReason: Int] = [:]
    for name in reader.names {
      let event = try #require(lookup[name])
      guard event.kind == .ended,
        let reason = EndReason(rawValue: UInt8(truncatingIfNeeded: event.payload.word))
      else {
        continue
      }
      let graph = try #require(CausalGraph(of: name, in: lookup))
      let causes = event.causes.compactMap { lookup[$0] }
      if let kind = ofStream[reason] {
        #expect(
          causes.contains { $0.kind == kind && $0.stream == event.stream },
          "#\(event.name) \(reason) because of \(causes)")
      } else {
        // Somebody's: a value, or an end, of a source.
        #expect(graph.events.values.contains { sources.contains($0.stream) }, "#\(event.name)")
      }
      checked[reason, default: 0] += 1
    }
    #expect(checked[.completed, default: 0] > 100)
    #expect(checked[.interrupted, default: 0] > 100)
  }

  @Test("T3: each work that begins, or is cancelled, names the one record that scheduled it")
  func hops() throws {
    let reader = try record("eight schedulers")
    let lookup = EventLookup(reader)
    var scheduled: [UInt64: TraceEvent] = [:]
    var (began, cancelled): (Set<UInt64>, Set<UInt64>) = ([], [])
    let events = reader.names.compactMap { lookup[$0] }.sorted { $0.ticks < $1.ticks }
    for event in events {
      let hop = event.subscription
      switch event.kind {
      case .hopScheduled:
        #expect(scheduled.updateValue(event, forKey: hop) == nil)
      case .hopBegan:
        #expect(began.insert(hop).inserted)
        let giver = try #require(scheduled[hop])
        #expect(event.causes == [giver.name])
        #expect(event.stream == giver.stream)
      case .hopEnded:
        #expect(began.contains(hop))
        #expect(event.stream == scheduled[hop]?.stream)
      case .hopCancelled:
        #expect(cancelled.insert(hop).inserted)
        #expect(event.stream == scheduled[hop]?.stream)
      default: continue
      }
    }
    #expect(began.isDisjoint(with: cancelled))
    #expect(began.count > 1_000 && cancelled.count > 100)
    #expect(Set(scheduled.values.map(\.stream)).count >= 8)
    #expect(began.union(cancelled) == Set(scheduled.keys))
  }

  @Test("T4: causes come before their effects, by the trace's clock")
  func order() throws {
    let reader = try record("eight schedulers")
    let lookup = EventLookup(reader)
    for name in reader.names {
      let event = try #require(lookup[name])
      for cause in event.causes {
        let before = try #require(lookup[cause])
        #expect(before.ticks < event.ticks)
      }
    }
  }

  @Test(
    "T3: who ended what somebody else was busy with is named, not the one who was busy")
  func foreign() throws {
    let reader = try record("foreign end")
    let lookup = EventLookup(reader)
    func stream(_ name: String) throws -> UInt32 {
      try #require(reader.definitions.streams.values.first { $0.name == name }).id
    }
    let (busy, killer) = (try stream("busy"), try stream("killer"))
    let mapped = try #require(reader.definitions.streams.values.first { $0.parents == [busy] }).id
    func sources(_ kind: RecordKind, of stream: UInt32) throws -> [Set<UInt32>] {
      try reader.names.compactMap { name in
        guard let event = lookup[name], event.kind == kind, event.stream == stream else {
          return nil
        }
        let graph = try #require(CausalGraph(of: name, in: lookup))
        return Set(graph.events.values.filter { $0.kind == .value }.map(\.stream))
      }
    }
    #expect(try sources(.completed, of: busy) == [[killer]])
    #expect(try sources(.ended, of: mapped) == [[killer]])
    // The edge that fed it went with it; the other one with the completion.
    #expect(try sources(.ended, of: busy) == [[killer], [killer]])
  }

  @Test("T3: what failed on another thread is why that which was starting it starts it again")
  func foreignRestart() throws {
    let reader = try record("foreign restart")
    let lookup = EventLookup(reader)
    let rounds = try #require(reader.definitions.streams.values.first { $0.name == "rounds" }).id
    let second = try #require(
      reader.names.last { lookup[$0]?.kind == .value && lookup[$0]?.stream == rounds })
    let graph = try #require(CausalGraph(of: second, in: lookup))
    #expect(graph.events.values.contains { $0.kind == .failed })
    let sources = graph.events.values.filter { $0.kind == .value }.compactMap {
      reader.definitions.streams[$0.stream]?.name
    }
    #expect(sources.contains("failures"))
  }
}
