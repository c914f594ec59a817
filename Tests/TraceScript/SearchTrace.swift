internal import VarveProbe

/// Search as you type: keystrokes, debounced queries, searches of which the newest cancels the one
/// before, and their results.
public struct SearchTrace {
  /// The trace.
  public var script = TraceScript()
  /// The streams, by what they are.
  public let keystrokes, queries, search, results, progress: UInt32
  private let worker: UInt32
  private var searchEdge: UInt64 = 0
  private var run: UInt64 = 1_000

  /// Types two words with a pause between; one search is overtaken, one fails, two finish.
  public init() {
    keystrokes = script.stream("keystrokes", line: 12)
    let debounced = script.stream(
      "keystrokes.debounce(300 ms)", "debounce", from: [keystrokes], derived: true)
    queries = script.stream("queries", "scan", from: [debounced], line: 14)
    search = script.stream("search", "SignalProducer", type: "Int", line: 31)
    progress = script.stream("progress", "pipe", type: "Double", line: 22)
    results = script.stream("results", "flatMap(.latest)", from: [queries], type: "Int", line: 16)
    worker = script.thread("search", ring: 2)
    type()
  }

  private mutating func type() {
    _ = script.subscribe(keystrokes, to: 2, at: 1)
    _ = script.subscribe(queries, to: results, at: 1.1)
    for (index, key) in "sea".enumerated() {
      script.value(keystrokes, String(key), at: 100 + Double(index) * 140, subscription: 0)
    }
    begin("sea", at: 680)
    for (index, key) in "rch".enumerated() {
      script.value(keystrokes, String(key), at: 900 + Double(index) * 130)
    }
    step(0.4, at: 1_000)
    cancel(at: 1_460)
    begin("search", at: 1_460)
    for (index, done) in [0.2, 0.5, 0.8, 1].enumerated() {
      step(done, at: 1_560 + Double(index) * 100)
    }
    finish(42, at: 1_900)
    script.value(keystrokes, "\u{8}", at: 6_900)
    script.value(keystrokes, "\u{8}", at: 7_020)
    begin("sear", at: 7_330)
    fail("timed out after 400 ms", at: 7_730)
    script.value(keystrokes, "x", at: 7_800)
    begin("searx", at: 8_110)
    finish(0, at: 8_400)
    script.record(.completed, of: keystrokes, at: 8_600)
    script.record(.completed, of: queries, at: 8_600.1)
    script.record(.completed, of: results, at: 8_600.2)
  }

  private mutating func begin(_ query: String, at time: Double) {
    script.value(queries, query, at: time)
    run += 1
    searchEdge = script.subscribe(search, to: results, at: time + 0.1)
  }

  private mutating func step(_ done: Double, at time: Double) {
    script.record(.value, of: progress, .real(done), at: time, ring: worker)
  }

  private mutating func cancel(at time: Double) {
    script.record(.interrupted, of: search, at: time - 0.2, subscription: run)
    script.end(searchEdge, of: search, .disposed, at: time - 0.1)
  }

  private mutating func finish(_ hits: Int64, at time: Double) {
    script.record(
      .value, of: search, .integer(hits), at: time, ring: worker, subscription: run)
    script.record(.completed, of: search, at: time + 0.1, ring: worker, subscription: run)
    script.end(searchEdge, of: search, .completed, at: time + 0.2, ring: worker)
    script.record(.value, of: results, .integer(hits), at: time + 0.3)
  }

  private mutating func fail(_ error: String, at time: Double) {
    script.record(
      .failed, of: search, .description(error), at: time, ring: worker, subscription: run)
    script.end(searchEdge, of: search, .failed, at: time + 0.1, ring: worker)
  }
}
