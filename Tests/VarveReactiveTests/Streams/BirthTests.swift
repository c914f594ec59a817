import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// When a trace says that streams were made.
@Suite struct BirthTests {
  @Test("T3: a producer that nobody starts is in the trace from when it was made, with its parents")
  func unstarted() async throws {
    let kept = Box<[SignalProducer<Int, Never>]>([])
    let rig = await ProbeRig.record { _ in
      let source = SignalProducer<Int, Never> { _, _ in }
      let named = source.named("unstarted source")
      kept.append(named.map { $0 + 1 }.named("unstarted"))
    }
    let source = try #require(rig.stream(named: "unstarted source"))
    let stream = try #require(rig.stream(named: "unstarted"))
    let map = try #require(rig.streams.first { $0.id == stream.parents.first })
    #expect(map.parents == [source.id])
    for stream in [source, map, stream] {
      let births = rig.records(.assembled, of: stream.id)
      #expect(births.count == 1)
      #expect(births.allSatisfy { $0.ticks >= stream.born })
    }
    #expect(source.born < map.born && map.born < stream.born)
  }

  @Test("T3: a producer that is started later was made when it was made")
  func startedLater() async throws {
    let rig = await ProbeRig.record { _ in
      let (marker, input) = Signal<Int, Never>.pipe(named: "birth marker")
      marker.observeValues { _ in }
      let producer = SignalProducer<Int, Never>(value: 1).named("started later")
      input.send(value: 1)
      producer.start()
    }
    let marker = try #require(rig.stream(named: "birth marker"))
    let between = try #require(rig.records(.value, of: marker.id).first).ticks
    let stream = try #require(rig.stream(named: "started later"))
    #expect(stream.born < between)
    #expect(rig.records(.assembled, of: stream.id).allSatisfy { $0.ticks < between })
    #expect(rig.records(.value, of: stream.id).allSatisfy { $0.ticks > between })
  }

  @Test("T3: what a `flatMap` makes again and again is made once, started or not")
  func templates() async throws {
    let (source, input) = Signal<Int, Never>.pipe(named: "birth templates")
    let inner = source.flatMap(.latest) { value in
      _ = SignalProducer<Int, Never>(value: value).named("inner that is thrown away")
      return SignalProducer<Int, Never>(value: value).named("inner that is started")
    }
    inner.observeValues { _ in }
    let rig = await ProbeRig.record { _ in for value in 0..<50 { input.send(value: value) } }
    for name in ["inner that is thrown away", "inner that is started"] {
      let ids = Set(rig.streams.filter { $0.name == name }.map(\.id))
      #expect(ids.count == 1)
      #expect(ids.allSatisfy { rig.records(.assembled, of: $0).count == 1 })
    }
  }
}
