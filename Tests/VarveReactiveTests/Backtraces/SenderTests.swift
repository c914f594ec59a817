import CVarveSystem
import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// What a trace is told of the code that sends.
@Suite("Who sends, in a trace", .serialized)
struct SenderTests {
  private let wish: Wish = [.allStreams, .stacks, .senders]

  /// The records about senders of a stream, each with the event that it is about.
  private func senders(
    of name: String, in rig: ProbeRig
  ) throws -> [(event: RigRecord, payload: HopPayload)] {
    let stream = try #require(rig.stream(named: name)).id
    return try rig.records(.sent, of: stream).map { record in
      #expect(record.payload == .cause)
      #expect(record.causes == [record.reference - 1])
      let event = try #require(rig.record(record.reference - 1))
      #expect(event.stream == stream)
      let payload = HopPayload(word: record.word)
      #expect(payload.stack != 0)
      #expect(rig.stacks.contains(payload.stack))
      #expect(vv_stack_find(payload.stack) != nil)
      return (event, payload)
    }
  }

  @Test("T3: a send names the stack of the code that sends, right after the event")
  func pipe() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "sent")
    let rig = await ProbeRig.record(wish: wish) { _ in
      signal.observeValues { _ in }
      for value in 1...2 { input.send(value: value) }
      input.send(value: 3)
      input.sendCompleted()
    }
    let found = try senders(of: "sent", in: rig)
    #expect(found.map(\.event.kind) == [.value, .value, .value, .completed])
    #expect(found.prefix(3).map(\.event.word) == [1, 2, 3])
    let stacks = found.map(\.payload.stack)
    #expect(stacks[0] == stacks[1])
    #expect(Set(stacks).count == 3)
  }

  @Test("T3: of a rejection, the trace names the code of the validator that rejected the value")
  func rejection() async throws {
    enum Refusal: Error { case small, large }
    let checked = ValidatingProperty<Int, Refusal>(5, named: "checked") { value in
      if value < 0 { return .invalid(.small) }
      return value < 10 ? .valid : .invalid(.large)
    }
    let rig = await ProbeRig.record(wish: wish) { _ in
      checked.result.signal.observeValues { _ in }
      for value in [-1, 7, 20, -2] { checked.value = value }
    }
    let found = try senders(of: checked.result.description, in: rig)
    #expect(found.count == 3)
    let stacks = found.map(\.payload.stack)
    #expect(stacks[0] == stacks[2] && stacks[0] != stacks[1])
    // The accepted value was sent by the loop.
    #expect(try senders(of: "checked", in: rig).count == 1)
  }

  @Test("T3: so does a send from an observer's closure, and its event keeps its cause")
  func inside() async throws {
    let (first, input) = Signal<Int, Never>.pipe(named: "outer send")
    let (second, other) = Signal<Int, Never>.pipe(named: "inner send")
    let rig = await ProbeRig.record(wish: wish) { _ in
      second.observeValues { _ in }
      first.observeValues { other.send(value: $0) }
      input.send(value: 7)
    }
    let outer = try #require(senders(of: "outer send", in: rig).first)
    let inner = try #require(senders(of: "inner send", in: rig).first)
    #expect(inner.event.causes == [outer.event.reference])
    #expect(inner.payload.stack != outer.payload.stack)
  }

  @Test("T3: subjects, properties and the inputs of start handlers have senders, too")
  func others() async throws {
    let subject = ReplaySubject<Int, Never>(upTo: 1, named: "sent subject")
    let property = MutableProperty(0, named: "written")
    let rig = await ProbeRig.record(wish: wish) { _ in
      subject.producer.startWithValues { _ in }
      subject.send(value: 1)
      property.value = 1
      property.modify { $0 += 1 }
      property.swap(3)
      SignalProducer<Int, Never> { input, _ in
        input.send(value: 1)
        input.sendCompleted()
      }.named("handled").startWithValues { _ in }
    }
    #expect(try senders(of: "sent subject", in: rig).map(\.event.word) == [1])
    let written = try senders(of: "written", in: rig)
    #expect(written.map(\.event.word) == [1, 2, 3])
    #expect(Set(written.map(\.payload.stack)).count == 3)
    let handled = rig.streams.filter { $0.operation == "producer" }.map(\.id)
    #expect(rig.records.filter { $0.kind == .sent && handled.contains($0.stream) }.count == 2)
  }

  @Test("T3: a recursive send has the stack of the code that made it, not of its delivery")
  func recursive() async throws {
    let (signal, input) = Signal<Int, Never>.queuedPipe(named: "queued sends")
    let property = MutableProperty(0, named: "written inside")
    let rig = await ProbeRig.record(wish: wish) { _ in
      signal.observeValues { if $0 == 1 { input.send(value: 2) } }
      input.send(value: 1)
      property.signal.observeValues { if $0 == 1 { property.value = 2 } }
      property.value = 1
    }
    for name in ["queued sends", "written inside"] {
      let found = try senders(of: name, in: rig)
      #expect(found.map(\.event.word) == [1, 2])
      let depths = found.map { vv_stack_find($0.payload.stack)?.pointee.count ?? 0 }
      #expect(depths[1] > depths[0], "the recursive send lies deeper: \(name)")
    }
  }

  @Test("T3: during scheduled work, a send names the hop, through which the way back leads on")
  func hop() async throws {
    let scheduler = QueueScheduler(name: "sends")
    let (signal, input) = Signal<Int, Never>.pipe(named: "sent by work")
    let rig = await ProbeRig.record(wish: wish) { _ in
      signal.observeValues { _ in }
      onThreads(1) { _ in
        scheduler.schedule { input.send(value: 1) }
        scheduler.queue.sync {}
      }
    }
    let id = try #require(rig.scheduler(named: "QueueScheduler(sends)")).id
    let hop = try #require(rig.hops(of: id).first)
    #expect(try senders(of: "sent by work", in: rig).map(\.payload.parent) == [hop.subscription])
  }

  @Test("T3: what operators, bindings and actions deliver by themselves has no sender")
  func own() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "bound source")
    let property = MutableProperty(0, named: "bound target")
    let action = Action<Int, Int, Never>(named: "unsent action") { SignalProducer(value: $0) }
    let rig = await ProbeRig.record(wish: wish) { _ in
      property <~ signal.map { $0 + 1 }
      property.producer.combineLatest(with: signal.producer).startWithValues { _ in }
      property.signal.observeValues { _ in }
      action.values.observeValues { _ in }
      action.apply(1).start()
      input.send(value: 1)
    }
    let sent = Set(rig.records.filter { $0.kind == .sent }.map(\.stream))
    let source = try #require(rig.stream(named: "bound source")).id
    #expect(sent.contains(source))
    let own = rig.streams.filter { $0.id != source }.map(\.id)
    #expect(sent.isDisjoint(with: own))
  }

  @Test("T8: without the wish for senders there is no such record")
  func without() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "sent unasked")
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in
      signal.observeValues { _ in }
      input.send(value: 1)
    }
    let stream = try #require(rig.stream(named: "sent unasked")).id
    #expect(rig.records(.value, of: stream).count == 1)
    #expect(rig.records(.sent, of: stream).isEmpty)
  }
}

/// What a trace is told of the code that ends subscriptions.
@Suite("Who ends a subscription, in a trace", .serialized)
struct EndAuthorTests {
  private func ends(of name: String, in rig: ProbeRig) throws -> [ReasonPayload] {
    let stream = try #require(rig.stream(named: name)).id
    return rig.records(.ended, of: stream).map { ReasonPayload(word: $0.word) }
  }

  @Test("T3: the end of a subscription names the stack of the code that disposed of it")
  func disposal() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "disposed observations")
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in
      let first = signal.observeValues { _ in }
      let second = signal.observeValues { _ in }
      first?.dispose()
      second?.dispose()
      signal.observeValues { _ in }
      input.sendCompleted()
    }
    let found = try ends(of: "disposed observations", in: rig)
    #expect(
      found.map { EndReason(rawValue: UInt8($0.reason)) } == [.disposed, .disposed, .completed])
    #expect(found[0].stack != 0 && found[1].stack != 0 && found[2].stack == 0)
    #expect(found[0].stack != found[1].stack)
    #expect(Set(rig.stacks).isSuperset(of: found.prefix(2).map(\.stack)))
  }

  @Test("T3: so does the end of a run that was disposed of, of a lifetime, and of a dropped input")
  func others() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "ended otherwise")
    let (dropped, end) = Signal<Int, Never>.pipe(named: "dropped input")
    let inputs = Box<[Signal<Int, Never>.Observer]>([end])
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in
      let run = signal.producer.startWithValues { _ in }
      run.dispose()
      let (lifetime, token) = Lifetime.make()
      lifetime += signal.observeValues { _ in }
      token.dispose()
      dropped.observeValues { _ in }
    }
    _ = (input, rig, inputs)
    let found = try ends(of: "ended otherwise", in: rig)
    #expect(found.map { EndReason(rawValue: UInt8($0.reason)) } == [.disposed, .disposed])
    #expect(Set(found.map(\.stack)).count == 2)
    #expect(found.allSatisfy { $0.stack != 0 })
  }

  @Test("T3: an end that waits for another thread's delivery has the stack of the code that asked")
  func deferred() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "ended during a delivery")
    let isInside = Flag()
    let mayLeave = Flag()
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in
      let observation = signal.observeValues { _ in }
      signal.observeValues { _ in
        isInside.raise()
        mayLeave.wait()
      }
      onThreads(2) { thread in
        if thread == 0 { return input.send(value: 1) }
        isInside.wait()
        dispose(observation, depth: 6)
        mayLeave.raise()
      }
    }
    let stream = try #require(rig.stream(named: "ended during a delivery")).id
    let value = try #require(rig.records(.value, of: stream).first)
    let end = try #require(rig.records(.ended, of: stream).first)
    // It is written by the thread that delivers, which is not the one that asked.
    #expect(end.thread == value.thread)
    let stack = ReasonPayload(word: end.word).stack
    let asking = try #require(vv_stack_find(asked.value))
    let found = try #require(vv_stack_find(stack))
    // Both lead through the calls of the function that calls itself.
    let calls = try #require(
      addresses(asking).first { call in
        addresses(asking).count { $0 == call } > 3
      })
    #expect(addresses(found).contains(calls))
  }

  private let asked = Box<UInt32>(0)

  @inline(never)
  private func dispose(_ observation: (any Disposable)?, depth: Int) {
    if depth > 0 {
      dispose(observation, depth: depth - 1)
    } else {
      asked.set(vv_stack_capture())
      observation?.dispose()
    }
    vv_keep_frame()
  }

  private func addresses(_ stack: UnsafePointer<vv_stack>) -> [UInt] {
    withUnsafeBytes(of: stack.pointee.addresses) { bytes in
      Array(bytes.bindMemory(to: UInt.self).prefix(Int(stack.pointee.count)))
    }
  }

  @Test("T3: without stacks, an end names its reason alone")
  func without() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "ended plainly")
    let rig = await ProbeRig.record(wish: [.allStreams]) { _ in
      signal.observeValues { _ in }?.dispose()
    }
    input.sendCompleted()
    #expect(try ends(of: "ended plainly", in: rig).map(\.stack) == [0])
  }
}
