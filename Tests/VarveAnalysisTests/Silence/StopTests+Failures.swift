import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

/// Failures, and what handles them.
extension StopTests {
  @Test("G3: a timeout is told before what handles its failure; a failure of the input is not")
  func timedOut() throws {
    for isInputs in [false, true] {
      var script = TraceScript()
      let source = script.stream("source", "producer", line: 1, traits: [])
      let limit = script.stream("limit", "timeout", from: [source], derived: true, line: 2)
      let stage = script.stream(
        "stage", "flatMapError(_:)", from: [limit], derived: true, line: 3, traits: .handlesFailure)
      _ = script.subscribe(source, to: limit, at: 0)
      _ = script.subscribe(limit, to: stage, at: 0)
      _ = script.subscribe(stage, at: 0)
      let queue = script.scheduler("timers")
      let work = script.record(.hopBegan, of: queue, at: 1, subscription: 9)
      let failed =
        isInputs ? script.record(.failed, of: source, .string("slow"), at: 1, causes: [work]) : work
      script.record(.failed, of: limit, .string("slow"), at: 1, causes: [failed])
      script.record(.completed, of: stage, at: 1, back: 1)
      let stop = try #require(try stops(script, of: stage).stops.first)
      #expect(stop.reason == (isInputs ? .handledFailure : .timedOut))
      #expect(stop.stream == (isInputs ? stage : limit))
    }
  }

  @Test("G3: a timeout is told before the observer that its failure reached")
  func timedOutUnhandled() throws {
    var script = TraceScript()
    let source = script.stream("source", line: 1)
    let limit = script.stream("limit", "timeout", from: [source], line: 2, traits: [])
    _ = script.subscribe(source, to: limit, at: 0)
    _ = script.subscribe(limit, at: 0, by: 7)
    let queue = script.scheduler("timers")
    script.value(source, "first", at: 0.5)
    script.value(limit, "first", at: 0.5, back: 1)
    let work = script.record(.hopBegan, of: queue, at: 1, subscription: 9)
    script.record(.failed, of: limit, .string("silence"), at: 1, causes: [work])
    script.end(2, of: limit, .failed, at: 1)
    script.value(source, "more", at: 2)
    let found = try stops(script, of: limit).stops
    #expect(found.first?.reason == .timedOut)
    #expect(found.first?.received == 1)
    #expect(found.contains { $0.reason == .failed && $0.author == 7 })
  }

  @Test("G3: a failure that an operator handled is told there; one that reached an observer, there")
  func failures() throws {
    for handles in [true, false] {
      var (script, source, stage, result) = chain(
        "flatMapError(_:)", handles ? .handlesFailure : [], source: [])
      script.record(.failed, of: source, .string("offline"), at: 1)
      if handles {
        script.record(.completed, of: stage, at: 1, back: 1)
      } else {
        script.record(.failed, of: stage, .string("offline"), at: 1, back: 1)
        script.record(.failed, of: result, .string("offline"), at: 1, back: 1)
        script.end(3, of: result, .failed, at: 1)
      }
      let stop = try #require(try stops(script, of: result).stops.first)
      #expect(stop.reason == (handles ? .handledFailure : .failed))
      #expect(stop.stream == (handles ? stage : result))
    }
  }

  @Test("G3: a flattening that an inner stream's failure ended is told, if more came to it")
  func endedByInner() throws {
    for (goesOn, before) in [(true, 1), (false, 1), (false, 2)] {
      var script = TraceScript()
      let pictures = script.stream("pictures", line: 1)
      let names = script.stream(
        "names", "flatMap(.concat)", from: [pictures], line: 2, traits: .makesStreams)
      let inner = script.stream("name", "producer", line: 3, traits: [])
      _ = script.subscribe(names, at: 0)
      _ = script.subscribe(pictures, to: names, at: 0)
      for _ in 0..<before { script.value(pictures, "1", at: 1) }
      let naming = script.subscribe(inner, to: names, at: 1)
      script.record(.failed, of: inner, .string("no mushroom"), at: 2)
      script.record(.failed, of: names, .string("no mushroom"), at: 2, back: 1)
      script.end(naming, of: inner, .failed, at: 2)
      script.end(1, of: names, .failed, at: 2)
      if goesOn { script.value(pictures, "2", at: 9) }
      let stop = try #require(try stops(script, of: names).stops.first)
      #expect(stop.reason == (goesOn || before > 1 ? .endedByInner : .failed))
      #expect(stop.stream == names)
      #expect(stop.more == (goesOn ? 1 : 0))
    }
  }

  @Test("G3: an end below a flattening tells what came after it, and not what it disposed of")
  func endBelowFlattening() throws {
    for isByEnd in [true, false] {
      var script = TraceScript()
      let memos = script.stream("memos", line: 1)
      let texts = script.stream(
        "texts", "flatMap(.concat)", from: [memos], derived: true, line: 2,
        traits: [.hot, .makesStreams])
      let first = script.stream(
        "first", "take(first:)", from: [texts], line: 3, traits: [.endsEarly, .swallows])
      let inner = script.stream("text", "producer", derived: true, line: 4, traits: [])
      let outer = script.subscribe(memos, to: texts, at: 0)
      _ = script.subscribe(texts, to: first, at: 0)
      _ = script.subscribe(first, at: 0)
      script.value(memos, "1", at: 1)
      let run = script.subscribe(inner, to: texts, at: 1)
      script.value(inner, "ring", at: 2, subscription: run)
      let value = script.value(texts, "ring", at: 2, back: 1)
      script.value(first, "ring", at: 2, back: 1)
      let end = isByEnd ? script.record(.completed, of: first, at: 2, causes: [value]) : value
      for (edge, stream) in [(outer, memos), (UInt64(2), texts)] {
        script.record(
          .ended, of: stream, .reason(EndReason.disposed.rawValue), at: 2, subscription: edge,
          causes: [end])
      }
      script.record(.interrupted, of: inner, at: 2)
      script.end(run, of: inner, .interrupted, at: 2)
      for time in [5.0, 9] { script.value(memos, "2", at: time) }
      let stop = try #require(try stops(script, of: first).stops.first)
      #expect(stop.reason == (isByEnd ? .ended : .disposed), "\(stop)")
      #expect(stop.more == 2)
      if isByEnd { #expect(stop.stream == first) }
    }
  }

  @Test("G3: what an operator keeps of the last values outweighs the ends of inner streams")
  func keptAtTheEnd() throws {
    for keeps in [true, false] {
      var script = TraceScript()
      let minutes = script.stream("minutes", line: 1)
      let packs = script.stream(
        "packs", "collect(count:)", from: [minutes], derived: true, line: 2, traits: .holds,
        absorbs: .gathered)
      let uploads = script.stream(
        "uploads", "flatMap(.concat)", from: [packs], line: 3, traits: .makesStreams)
      let inner = script.stream("put", "producer", derived: true, line: 4, traits: .hasEffects)
      _ = script.subscribe(minutes, to: packs, at: 0)
      _ = script.subscribe(packs, to: uploads, at: 0)
      _ = script.subscribe(uploads, at: 0)
      script.value(minutes, "1", at: 1)
      script.value(packs, "[1]", at: 1, back: 1)
      let run = script.subscribe(inner, to: uploads, at: 1)
      script.value(inner, "1", at: 2, subscription: run)
      script.value(uploads, "1", at: 2, back: 1)
      script.record(.completed, of: inner, at: 2)
      script.end(run, of: inner, .completed, at: 2)
      if keeps {
        script.value(minutes, "2", at: 5)
        script.record(
          .absorbed, of: packs, .reason(AbsorptionReason.gathered.rawValue), at: 5, back: 1)
      }
      let stop = try stops(script, of: uploads).stops.first
      #expect((stop?.stream == packs) == keeps, "\(String(describing: stop))")
    }
  }

  @Test("G3: a failure that waits in a delay is no timeout")
  func delayedFailure() throws {
    var script = TraceScript()
    let source = script.stream("source", "producer", line: 1, traits: [])
    let delayed = script.stream(
      "delayed", "delay", from: [source], line: 2, traits: [.hops, .holds])
    let stage = script.stream(
      "stage", "flatMapError(_:)", from: [delayed], line: 3, traits: .handlesFailure)
    _ = script.subscribe(source, to: delayed, at: 0)
    _ = script.subscribe(delayed, to: stage, at: 0)
    _ = script.subscribe(stage, at: 0)
    let queue = script.scheduler("timers")
    script.record(.failed, of: source, .string("offline"), at: 1)
    script.record(.hopBegan, of: queue, at: 2, subscription: 9)
    script.record(.failed, of: delayed, .string("offline"), at: 2, back: 1)
    script.record(.completed, of: stage, at: 2, back: 1)
    let found = try stops(script, of: stage).stops
    #expect(found.first?.reason == .handledFailure)
    #expect(!found.contains { $0.reason == .timedOut })
  }

  @Test("G3: an operator that delivers failures as values keeps nothing back")
  func materialized() throws {
    for isValue in [true, false] {
      var (script, source, stage, result) = chain(
        "materializeResults()", .handlesFailure, source: [])
      script.record(.failed, of: source, .string("offline"), at: 1)
      if isValue {
        script.value(stage, "failure(offline)", at: 1, back: 1)
        script.value(result, "failure(offline)", at: 1, back: 1)
      } else {
        script.record(.completed, of: stage, at: 1, back: 1)
      }
      let found = try stops(script, of: result).stops
      #expect(found.contains { $0.reason == .handledFailure } == !isValue)
    }
  }

  @Test("G3: a source that is started again and again and always fails is told at what restarts it")
  func restarted() throws {
    var (script, source, stage, result) = chain(
      "retry()", [.handlesFailure, .restarts], source: [])
    for time in [1.0, 2, 3] {
      script.record(.failed, of: source, .string("no"), at: time)
      _ = script.subscribe(source, to: stage, at: time)
      script.end(time == 1 ? 1 : UInt64(time + 2), of: source, .failed, at: time)
    }
    let stop = try #require(try stops(script, of: result).stops.first)
    #expect(stop.stream == stage && stop.reason == .restarted)
    #expect(stop.stopped == 3 && stop.received == 3)
  }
}
