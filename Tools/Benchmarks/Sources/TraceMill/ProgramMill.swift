import VarveFormat
import VarveProbe

/// Makes the events of a program with a few pages, each of which searches as one types.
///
/// A keystroke goes through a chain of operators on the main thread; a query that is left starts a
/// request, which runs on one of two threads of another scheduler and hops back with its result. A
/// newer query overtakes one that is under way; one in a hundred fails; one in a thousand is never
/// taken down. So there are causes, far and near, hops, runs, and blocks that overlap in time.
struct ProgramMill {
  private enum Stream: UInt32, CaseIterable {
    case keystrokes = 1
    case mapped, kept, queries, request, results, shown
  }

  private struct Request {
    var page: UInt32
    var edge: UInt64
    var hop: UInt64
    var scheduled: UInt64
    var isOvertaken = false
  }

  private static let pages: UInt32 = 8
  /// Requests that are under way at a time.
  private static let under = 3
  private static let main: UInt32 = 1
  private static let mainScheduler: UInt32 = 1
  private static let workers: UInt32 = 2

  private let writer: TraceWriter
  private let most: Int
  private var rings = (1...3).map { MilledRing($0) }
  private var chance: Chance
  private var tick: UInt64
  private var done = 0
  private var number: UInt64 = 1_000
  private var requests: [Request] = []

  init(_ writer: TraceWriter, events: Int, from tick: UInt64, _ chance: Chance) {
    self.writer = writer
    most = events
    self.tick = tick
    self.chance = chance
  }

  /// Writes all events.
  mutating func run() throws {
    defer { for ring in rings { ring.deallocate() } }
    for page in 0..<Self.pages {
      for stream in Stream.allCases.dropFirst() where stream != .request {
        let source = stream == .results ? Stream.queries : Stream(rawValue: stream.rawValue - 1)!
        _ = try add(
          .subscribed, id(source, page), edge(stream, page),
          payload: .word(.stream, UInt64(id(stream, page))))
      }
    }
    while done < most {
      try type()
      while requests.count > Self.under { try answer() }
    }
    for index in rings.indices { try rings[index].flush(to: writer) }
  }

  // MARK: - What happens

  /// A key is pressed.
  private mutating func type() throws {
    tick += chance.gap(mean: 40_000)
    let page = UInt32(chance.next() % UInt64(Self.pages))
    let text = "query \(chance.next() % 1_000)"
    var last = try add(.value, id(.keystrokes, page), 0, payload: .text(text))
    last = try value(.mapped, page, after: last, .text(text))
    guard chance.next() % 10 < 7 else { return try absorb(.filtered, .kept, page, after: last) }
    last = try value(.kept, page, after: last, .text(text))
    guard chance.next() % 10 < 8 else { return try absorb(.repeated, .queries, page, after: last) }
    last = try value(.queries, page, after: last, .text(text))
    for index in requests.indices where requests[index].page == page {
      guard !requests[index].isOvertaken else { continue }
      requests[index].isOvertaken = true
      let reason = ReasonPayload(reason: EndReason.disposed.rawValue, stack: 0)
      _ = try add(
        .ended, id(.request, page), requests[index].edge, cause: .here(last),
        payload: .word(.reason, reason.word))
    }
    number += 2
    let subscribed = try add(
      .subscribed, id(.request, page), number - 1, cause: .here(last),
      payload: .word(.stream, UInt64(id(.results, page))))
    let hop = try schedule(Self.workers, number, after: subscribed, on: Self.main)
    requests.append(Request(page: page, edge: number - 1, hop: number, scheduled: hop))
  }

  /// The oldest request is answered.
  private mutating func answer() throws {
    let request = requests.removeFirst()
    guard !request.isOvertaken else {
      _ = try add(.hopCancelled, Self.workers, request.hop, cause: .here(request.scheduled))
      return
    }
    let (page, worker) = (request.page, UInt32(2 + chance.next() % 2))
    var last = try begin(
      Self.workers, request.hop, on: worker, from: Self.main, request.scheduled)
    tick += chance.gap(mean: 20_000)
    let isFailing = chance.next() % 100 == 0
    last = try add(
      isFailing ? .failed : .value, id(.request, page), request.edge, on: worker,
      cause: .here(last),
      payload: isFailing ? .text("timed out") : .word(.integer, chance.next() % 10_000))
    if !isFailing {
      last = try add(
        .completed, id(.request, page), request.edge, on: worker, cause: .here(last))
    }
    number += 1
    let back = number
    let hop = try schedule(Self.mainScheduler, back, after: last, on: worker)
    _ = try add(.hopEnded, Self.workers, request.hop, on: worker)
    last = try begin(Self.mainScheduler, back, on: Self.main, from: worker, hop)
    if !isFailing {
      last = try value(.results, page, after: last, .word(.integer, chance.next() % 10_000))
      last = try value(.shown, page, after: last, .word(.integer, number))
    }
    if chance.next() % 1_000 != 0 {
      let reason = ReasonPayload(
        reason: (isFailing ? EndReason.failed : .completed).rawValue, stack: 0)
      _ = try add(
        .ended, id(.request, page), request.edge, cause: .here(last),
        payload: .word(.reason, reason.word))
    }
    _ = try add(.hopEnded, Self.mainScheduler, back)
  }

  // MARK: - Records

  private mutating func value(
    _ stream: Stream, _ page: UInt32, after cause: UInt64, _ payload: MilledRing.Payload
  ) throws -> UInt64 {
    try add(
      .value, id(stream, page), edge(stream, page), cause: .here(cause), payload: payload)
  }

  private mutating func absorb(
    _ reason: AbsorptionReason, _ stream: Stream, _ page: UInt32, after cause: UInt64
  ) throws {
    let payload = ReasonPayload(reason: reason.rawValue, stack: 0)
    _ = try add(
      .absorbed, id(stream, page), edge(stream, page), cause: .here(cause),
      payload: .word(.reason, payload.word))
  }

  private mutating func schedule(
    _ scheduler: UInt32, _ hop: UInt64, after cause: UInt64, on ring: UInt32
  ) throws -> UInt64 {
    try add(
      .hopScheduled, scheduler, hop, on: ring, cause: .here(cause),
      payload: .word(.cause, HopPayload(stack: 0, parent: 0).word))
  }

  private mutating func begin(
    _ scheduler: UInt32, _ hop: UInt64, on ring: UInt32, from other: UInt32, _ scheduled: UInt64
  ) throws -> UInt64 {
    tick += chance.gap(mean: 8_000)
    return try add(.hopBegan, scheduler, hop, on: ring, cause: .there(ring: other, scheduled))
  }

  private mutating func add(
    _ kind: RecordKind, _ stream: UInt32, _ subscription: UInt64, on ring: UInt32 = main,
    cause: MilledRing.Cause = .none, payload: MilledRing.Payload = .none
  ) throws -> UInt64 {
    let index = Int(ring) - 1
    tick += 300 + chance.gap(mean: 700)
    if rings[index].isFull { try rings[index].flush(to: writer) }
    // What the last request still does is left out, so that there are as many as were asked for.
    guard done < most else { return rings[index].sequence }
    done += 1
    rings[index].add(kind, stream, subscription, at: tick, cause, payload)
    return rings[index].sequence
  }

  private func id(_ stream: Stream, _ page: UInt32) -> UInt32 {
    page * UInt32(Stream.allCases.count) + stream.rawValue
  }

  private func edge(_ stream: Stream, _ page: UInt32) -> UInt64 { UInt64(id(stream, page)) }

  // MARK: - What there is

  static func definitions(born: UInt64) -> [TraceDefinition] {
    let count = UInt32(Stream.allCases.count)
    let streams = (0..<pages).flatMap { page in
      Stream.allCases.map { stream in
        definition(stream, page, first: page * count, born: born)
      }
    }
    let schedulers = [(mainScheduler, "main"), (workers, "network")].map {
      TraceDefinition.scheduler(SchedulerDefinition(id: $0.0, name: $0.1))
    }
    let threads = (1...3).map { ring in
      TraceDefinition.thread(
        ThreadDefinition(
          ring: UInt32(ring), systemID: 999 + UInt64(ring), name: ring == 1 ? "main" : "network"))
    }
    return streams.map { .stream($0) } + schedulers + threads
  }

  private static func definition(
    _ stream: Stream, _ page: UInt32, first: UInt32, born: UInt64
  ) -> StreamDefinition {
    let keys = "keystrokes.\(page)"
    let (name, derivation, operation): (String, String, String) =
      switch stream {
      case .keystrokes: (keys, "pipe@Page.swift:12", "pipe")
      case .mapped: ("\(keys).map(_:)", "\(keys).map(_:)", "map(_:)")
      case .kept: ("\(keys).map(_:).filter(_:)", "\(keys).map(_:).filter(_:)", "filter(_:)")
      case .queries:
        ("queries.\(page)", "\(keys).map(_:).filter(_:).skipRepeats()", "skipRepeats()")
      case .request: ("request.\(page)", "SignalProducer@Page.swift:31", "SignalProducer")
      case .results: ("results.\(page)", "queries.\(page).flatMap(.latest)", "flatMap(.latest)")
      case .shown: ("shown.\(page)", "results.\(page).observe(on:)", "observe(on:)")
      }
    let parents: [Stream] =
      switch stream {
      case .keystrokes, .request: []
      case .results: [.queries]
      case .mapped, .kept, .queries, .shown: [Stream(rawValue: stream.rawValue - 1)!]
      }
    let traits: StreamTraits =
      switch stream {
      case .keystrokes: .hot
      case .results: [.makesStreams, .replaces]
      case .request: .startsElsewhere
      case .mapped, .kept, .queries, .shown: []
      }
    return StreamDefinition(
      id: first + stream.rawValue, name: name, derivation: derivation, operation: operation,
      parents: parents.map { first + $0.rawValue },
      place: Place(file: "Page.swift", line: 10 + stream.rawValue),
      valueType: stream.rawValue < Stream.request.rawValue ? "String" : "Int", born: born,
      absorbs: stream == .kept ? .filtered : stream == .queries ? .repeated : nil, traits: traits)
  }
}
