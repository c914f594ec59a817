import Testing
import VarveProbe

@testable import VarveFormat
@testable import VarveRecorder

/// What is carried from file to file does not grow with all that has ever been.
@Suite struct TraceExtractTests {
  private let folder = Folder()

  private func writer(_ name: String) throws -> TraceWriter {
    let process = ProcessDescription(program: "p", arguments: [], pid: 1, host: "h", started: 1)
    return try TraceWriter(
      creating: folder.file(name),
      header: TraceHeader(
        id: .random(), process: process, clock: .monotonic,
        anchor: ClockAnchor(ticks: 0, monotonic: 0)))
  }

  @Test(
    "T6: of many losses of threads that live, and of those that never had a ring, none counts twice"
  )
  func runs() throws {
    let old = try writer("old.varve")
    let living = (1...10_000).map { (tick: UInt64) -> TraceLoss in
      TraceLoss(ring: 2, count: 2, ticks: tick * 10...tick * 10 + 5, reason: .noRoom)
    }
    let ringless = (1...10_000).map { (tick: UInt64) -> TraceLoss in
      let ring = UInt32(tick) + 100
      return TraceLoss(ring: ring, count: 3, ticks: tick * 10...tick * 10 + 5, reason: .noRoom)
    }
    let others = TraceLoss(ring: 0, count: 7, ticks: 100...200, reason: .noRoom)
    try old.append(losses: living + ringless + [others])
    let between = try writer("between.varve")
    try TraceExtract(of: old, [0, 2]) { () throws(TraceFileError) in }
      .write([], tellsRest: true, to: between)
    // The latest of a living thread goes on, and is told again; the next of the others is another.
    var more = try #require(living.last)
    more.count = 3
    try between.append(
      losses: [more, TraceLoss(ring: 0, count: 1, ticks: 201...300, reason: .noRoom)])
    let fresh = try writer("fresh.varve")
    try TraceExtract(of: between, [0, 2]) { () throws(TraceFileError) in }
      .write([], tellsRest: true, to: fresh)
    try fresh.finish(ending: .clean)
    let losses = try TraceReader(path: folder.file("fresh.varve")).losses
    #expect(losses.reduce(0) { $0 + $1.count } == 20_000 + 30_000 + 7 + 2)
    #expect(losses.count < 4_200)
    #expect(losses.allSatisfy { $0.reason == .noRoom })
  }

  @Test(
    "T6: of threads that have ended and are told of together, only the count and times are kept")
  func threads() throws {
    let old = try writer("old.varve")
    let rings = 1...UInt32(10_000)
    try old.append(
      definitions: rings.map {
        .thread(ThreadDefinition(ring: $0, systemID: UInt64($0), name: "t\($0)"))
      })
    try old.append(
      losses: rings.map {
        TraceLoss(
          ring: $0, count: 3, ticks: UInt64($0) * 10...UInt64($0) * 10 + 5, reason: .notKept)
      })
    // Rings that wait for a thread have no id.
    let between = try writer("between.varve")
    try TraceExtract(of: old, [0, 2, 3]) { () throws(TraceFileError) in }
      .write([], tellsRest: true, to: between)
    // Further ones end, and two were without events when the oldest were.
    try between.append(
      losses: (10_001...10_010).map {
        TraceLoss(
          ring: $0, count: 3, ticks: ($0 < 10_003 ? 10 : 100_005)...100_005, reason: .notKept)
      })
    let fresh = try writer("fresh.varve")
    try TraceExtract(of: between, [0, 2, 3]) { () throws(TraceFileError) in }
      .write([], tellsRest: true, to: fresh)
    try fresh.finish(ending: .clean)
    let trace = try TraceReader(path: folder.file("fresh.varve"))
    #expect(trace.losses.reduce(0) { $0 + $1.count } == 30_030)
    // Those of threads that live are told of as before: what is told later may be the same.
    #expect(trace.losses.count == 4_096 + 2 + 1)
    #expect(trace.losses.contains { $0.ring == 2 && $0.ticks == 20...25 })
    let together = trace.losses.filter { $0.ring == 0 }
    #expect(together.map(\.count) == [UInt64(10_010 - 4_096 - 2) * 3])
    #expect(together.map(\.ticks) == [10...100_005])
    // Those of the eight that are told by themselves have no definition.
    #expect(trace.definitions.threads.count == 4_096 - 8 + 2)
    #expect(trace.definitions.threads[2]?.name == "t2")
  }
}
