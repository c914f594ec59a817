import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Failures")
struct FailureRuleTests {
  // MARK: - Unhandled

  /// An upload that fails while an observer is attached with the stack 7.
  private func upload(reacts: Bool = false) throws -> [Finding] {
    var script = TraceScript()
    let upload = script.stream("upload", "producer", traits: .hasEffects)
    let message = script.stream("message", traits: [.hot, .replays])
    let edge = script.subscribe(upload, at: 0, by: 7)
    script.record(.failed, of: upload, .description("too large"), at: 10)
    if reacts { script.value(message, "too large", at: 10, back: 1) }
    script.end(edge, of: upload, .failed, at: 11)
    return try script.findings()
  }

  @Test("G1: a failure that an observer ignores is found where the observer was attached")
  func ignored() throws {
    let found = try upload()
    #expect(found.map(\.kind) == [.failure])
    #expect(found.first?.place == .stack(7))
    #expect(found.first?.evidence == ["1.2"])
  }

  @Test("G1: an observer that does something because of a failure has handled it")
  func reaction() throws { #expect(try upload(reacts: true).isEmpty) }

  /// A run of an action that fails, or is refused.
  private func run(refused: Bool, observesErrors: Bool) throws -> [Finding] {
    var script = TraceScript()
    let action = script.stream("save", "action", traits: .hot)
    let errors = script.stream("save.errors", "errors", from: [action], traits: .hot)
    let refusals = script.stream(
      "save.disabledErrors", "disabledErrors", from: [action], traits: .hot)
    _ = script.stream("save.isExecuting", "isExecuting", from: [action], traits: [.hot, .replays])
    let apply = script.stream("save.apply", "apply", from: [action], traits: .hasEffects)
    let work = script.stream("work", "producer", traits: .hasEffects)
    _ = script.subscribe(action, to: errors, at: 0)
    if observesErrors { _ = script.subscribe(errors, at: 0) }
    _ = script.subscribe(work, at: 1)
    let edge = script.subscribe(apply, at: 1, by: 7)
    if refused {
      script.record(.failed, of: apply, .description("disabled"), at: 10)
      script.end(edge, of: apply, .failed, at: 10)
      script.record(.value, of: refusals, .unit, at: 10)
    } else {
      let failure = script.record(.failed, of: work, .description("no disk"), at: 10)
      script.record(.failed, of: apply, .description("no disk"), at: 10, causes: [failure])
      script.end(edge, of: apply, .failed, at: 10)
      let event = script.record(
        .value, of: action, .description("FAILED"), at: 10, causes: [failure])
      script.record(.value, of: errors, .description("no disk"), at: 10, causes: [event])
    }
    return try script.findings()
  }

  @Test("G1: a run's failure is handled where the action's errors are observed")
  func actionErrors() throws {
    let found = try run(refused: false, observesErrors: false)
    #expect(found.map(\.kind) == [.failure])
    #expect(found.first?.place == .stack(7))
    #expect(try run(refused: false, observesErrors: true).isEmpty)
  }

  @Test("G1: a run that was refused has not failed")
  func refusal() throws { #expect(try run(refused: true, observesErrors: false).isEmpty) }

  // MARK: - Handled out of sight

  /// A handler behind a flattening, one of whose inner streams fails.
  private func feed(goesOn: Bool = true, failsWithin: Bool = true) throws -> [Finding] {
    var script = TraceScript()
    let posts = script.stream("posts")
    let comments = script.stream(
      "comments", "flatMap(.latest)", from: [posts], traits: [.makesStreams, .replaces])
    let safe = script.stream("safe", "flatMapError(_:)", from: [comments])
    let request = script.stream("request", "producer", traits: .hasEffects)
    let empty = script.stream("empty", "value")
    _ = script.subscribe(safe, at: 0)
    let handled = script.subscribe(comments, to: safe, at: 0)
    let outer = script.subscribe(posts, to: comments, at: 0)
    script.value(posts, "1", at: 1)
    let inner = script.subscribe(request, to: comments, at: 1)
    if failsWithin {
      script.record(.failed, of: request, .description("deleted"), at: 2)
      script.end(inner, of: request, .failed, at: 2)
    } else {
      script.end(outer, of: posts, .failed, at: 2)
    }
    script.record(.failed, of: comments, .description("deleted"), at: 2)
    let replacement = script.subscribe(empty, to: safe, at: 3)
    script.value(safe, "[]", at: 3, subscription: replacement)
    script.end(replacement, of: empty, .completed, at: 3)
    script.end(handled, of: comments, .failed, at: 4)
    if goesOn {
      script.value(posts, "2", at: 50)
      script.value(posts, "3", at: 60)
    }
    return try script.findings()
  }

  @Test("G1: a failure that ended a flattening for good was handled too late")
  func handledTooLate() throws {
    let found = try feed()
    #expect(found.map(\.kind) == [.handled])
    #expect(found.first?.place == .stream(3))
    #expect(found.first?.evidence.count == 2)
  }

  @Test("G1: a flattening that nothing came to afterwards, or whose outer stream failed, was over")
  func handledInTime() throws {
    #expect(try feed(goesOn: false).isEmpty)
    #expect(try feed(failsWithin: false).isEmpty)
  }

  /// A flattening that nothing handles the failures of, observed with the stack 7; one of its inner
  /// streams fails.
  private func scan(
    goesOn: Bool = true, failsWithin: Bool = true, before: Int = 1
  ) throws -> [Finding] {
    var script = TraceScript()
    let pictures = script.stream("pictures")
    let names = script.stream(
      "names", "flatMap(.concat)", from: [pictures], traits: .makesStreams)
    let inner = script.stream("name", "producer", traits: .hasEffects)
    let observed = script.subscribe(names, at: 0, by: 7)
    let outer = script.subscribe(pictures, to: names, at: 0)
    for _ in 0..<before { script.value(pictures, "1", at: 1) }
    let naming = script.subscribe(inner, to: names, at: 1)
    if failsWithin {
      script.record(.failed, of: inner, .description("no mushroom"), at: 2)
      script.end(naming, of: inner, .failed, at: 2)
    } else {
      script.end(outer, of: pictures, .failed, at: 2)
    }
    script.record(.failed, of: names, .description("no mushroom"), at: 2)
    script.end(observed, of: names, .failed, at: 3)
    if goesOn {
      script.value(pictures, "2", at: 50)
      script.value(pictures, "3", at: 60)
    }
    return try script.findings()
  }

  @Test("G1: an inner failure that ended a flattening which had more to do is the flattening's")
  func unhandledWithin() throws {
    let found = try scan()
    #expect(found.map(\.kind) == [.failure])
    #expect(found.first?.place == .stream(2))
    #expect(found.first?.evidence.count == 2)
  }

  @Test("G1: a failure of a flattening that had nothing more to do is its observer's")
  func unhandledAtTheEnd() throws {
    #expect(try scan(goesOn: false).first?.place == .stack(7))
    // Who holds no source any more sends in vain, and the trace does not say so.
    #expect(try scan(goesOn: false, before: 2).first?.place == .stream(2))
    #expect(try scan(failsWithin: false).first?.place == .stack(7))
  }

  @Test("G1: a failure that is thrown to the code that awaits it is no observer's")
  func thrown() throws {
    func findings(_ traits: StreamTraits) throws -> [Finding] {
      var script = TraceScript()
      let load = script.stream("load", "span", traits: traits)
      let run = script.subscribe(load, at: 0, by: 7)
      script.record(.failed, of: load, .description("no mushroom"), at: 1)
      script.end(run, of: load, .failed, at: 2)
      return try script.findings()
    }
    #expect(try findings(.hasEffects).map(\.kind) == [.failure])
    #expect(try findings([.hasEffects, .throwsFailure]).isEmpty)
  }

  /// A failure that is replaced by a stream of so many values.
  private func logIn(
    values: Int = 0, reports: Bool = false, isRetried: Bool = false
  ) throws -> [Finding] {
    var script = TraceScript()
    let request = script.stream(
      "request", "producer", traits: isRetried ? [.handlesFailure, .restarts] : .hasEffects)
    let safe = script.stream("safe", "flatMapError(_:)", from: [request])
    let other = script.stream("other", "empty")
    let failures = script.stream("failures", traits: [.hot, .replays])
    _ = script.subscribe(safe, at: 0)
    let edge = script.subscribe(request, to: safe, at: 0)
    script.record(.failed, of: request, .description("wrong password"), at: 10)
    if reports { script.value(failures, "wrong password", at: 10, back: 1) }
    let replacement = script.subscribe(other, to: safe, at: 11)
    for _ in 0..<values { script.value(safe, "try again", at: 12, subscription: replacement) }
    script.end(replacement, of: other, .completed, at: 13)
    script.end(edge, of: request, .failed, at: 13)
    return try script.findings()
  }

  @Test("G1: a failure in whose place nothing came was swallowed")
  func swallowed() throws {
    let found = try logIn()
    #expect(found.map(\.kind) == [.handled])
    #expect(found.first?.place == .stream(2))
    #expect(found.first?.evidence.first == "1.3")
  }

  @Test("G1: a failure that became a value, or that its handler reported, was not swallowed")
  func notSwallowed() throws {
    #expect(try logIn(values: 1).isEmpty)
    #expect(try logIn(reports: true).isEmpty)
    // What has tried again before gives up knowingly.
    #expect(try logIn(isRetried: true).isEmpty)
  }

  // MARK: - In a circle

  private func socket(failures: Int, every pause: Double = 2, values: Bool = false) throws
    -> [Finding]
  {
    var script = TraceScript()
    let socket = script.stream("socket", "producer", traits: .hasEffects)
    let prices = script.stream(
      "prices", "retry()", from: [socket], traits: [.handlesFailure, .restarts])
    _ = script.subscribe(prices, at: 0)
    for number in 0..<failures {
      let time = Double(number) * pause
      let edge = script.subscribe(socket, to: prices, at: time)
      if values {
        script.value(socket, "1", at: time)
        script.value(prices, "1", at: time, subscription: edge, back: 1)
      }
      script.record(.failed, of: socket, .description("unauthorized"), at: time + 1)
      script.end(edge, of: socket, .failed, at: time + 1)
    }
    return try script.findings()
  }

  @Test("G1: a stream that fails and is started again without a value between goes in a circle")
  func circle() throws {
    let found = try socket(failures: 40)
    #expect(found.map(\.kind) == [.retries])
    #expect(found.first?.place == .stream(2))
    #expect(found.first?.weight == 90)
    #expect(try socket(failures: 40, every: 1_000).map(\.weight) == [60])
  }

  @Test("G1: a few attempts, and failures between values, are what retrying is for")
  func attempts() throws {
    #expect(try socket(failures: 4).isEmpty)
    #expect(try socket(failures: 40, values: true).isEmpty)
  }

  /// A belt that completes at once and is asked again, `pause` milliseconds later.
  private func belt(completions: Int, pause: Double, values: Bool = false) throws -> [Finding] {
    var script = TraceScript()
    let next = script.stream("next", "producer", traits: .hasEffects)
    let all = script.stream("all", "repeatForever()", from: [next], traits: .restarts)
    _ = script.subscribe(all, at: 0)
    for number in 0..<completions {
      let time = Double(number) * pause
      let edge = script.subscribe(next, to: all, at: time)
      if values {
        script.value(next, "parcel", at: time)
        script.value(all, "parcel", at: time, subscription: edge, back: 1)
      }
      script.record(.completed, of: next, at: time)
      script.end(edge, of: next, .completed, at: time)
    }
    return try script.findings()
  }

  @Test("G1: what completes at once, and is started again without a pause, keeps a thread busy")
  func restless() throws {
    let found = try belt(completions: 1_200, pause: 0.01)
    #expect(found.map(\.kind) == [.retries])
    #expect(found.first?.place == .stream(2))
  }

  @Test("G1: what asks now and then, or gets something each time, is no such loop")
  func polling() throws {
    #expect(try belt(completions: 1_200, pause: 2).isEmpty)
    #expect(try belt(completions: 400, pause: 0.01).isEmpty)
    #expect(
      !(try belt(completions: 1_200, pause: 0.01, values: true)).map(\.kind).contains(.retries))
  }

  // MARK: - Kept

  /// Rates that failed once, and are asked for again.
  private func rates(
    asked times: Int, every pause: Double = 100, traits: StreamTraits = .replays
  ) throws -> [Finding] {
    var script = TraceScript()
    let api = script.stream("api", "producer", traits: [])
    let rates = script.stream("rates", "replayLazily(upTo:)", from: [api], traits: traits)
    let banner = script.stream("banner", "property", traits: [.hot, .replays])
    _ = script.subscribe(api, to: rates, at: 0)
    for time in 0..<times {
      let moment = Double(time) * pause
      let edge = script.subscribe(rates, at: moment)
      if time == 0 { script.record(.failed, of: api, .description("offline"), at: moment) }
      script.record(.failed, of: rates, .description("offline"), at: moment, back: 1)
      script.value(banner, "no connection", at: moment, back: 1)
      script.end(edge, of: rates, .failed, at: moment)
    }
    return try script.findings().filter { $0.kind == .handled && $0.stream == rates }
  }

  @Test(
    "G1: a failure that is kept, and replayed to who asks again later, is found where it is kept")
  func kept() throws {
    let found = try rates(asked: 4)
    #expect(found.count == 1)
    #expect(found.first?.place == .stream(2))
    #expect(found.first?.evidence.count == 2)
  }

  @Test("G2: a failure that few, or observers of the same moment share, is shared by intention")
  func shared() throws {
    #expect(try rates(asked: 2).isEmpty)
    #expect(try rates(asked: 4, every: 1).isEmpty)
    #expect(try rates(asked: 4, traits: []).isEmpty)
  }
}
