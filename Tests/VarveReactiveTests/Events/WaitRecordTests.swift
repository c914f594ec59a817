import CVarveSystem
import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// What a trace is told of threads that wait.
@Suite("Waits in a trace", .serialized)
struct WaitRecordTests {
  /// The records of waits for a reason, in order of time.
  private func waits(_ reason: WaitReason, in rig: ProbeRig) -> [RigRecord] {
    rig.records.filter { record in
      (record.kind == .waitBegan || record.kind == .waitEnded)
        && ReasonPayload(word: record.word).reason == UInt32(reason.rawValue)
    }.sorted { $0.ticks < $1.ticks }
  }

  private func expect(_ records: [RigRecord], of stream: UInt32, in rig: ProbeRig) throws {
    #expect(records.map(\.kind) == [.waitBegan, .waitEnded])
    let (began, ended) = (try #require(records.first), try #require(records.last))
    #expect(began.stream == stream && ended.stream == stream)
    #expect(ended.causes == [began.reference])
    #expect(began.thread == ended.thread)
    let stack = ReasonPayload(word: began.word).stack
    #expect(stack != 0 && rig.stacks.contains(stack))
  }

  /// Returns when some thread of the recording waits for a reason.
  private func awaitBeginning(_ reason: WaitReason, in rig: ProbeRig) {
    let end = ContinuousClock.now + .seconds(480)
    while waits(reason, in: rig).isEmpty {
      guard ContinuousClock.now < end else {
        Issue.record("no thread waits for \(reason)")
        return
      }
      relax()
    }
  }

  @Test("T3: a thread that blocks until a producer's outcome tells so, and when it goes on")
  func outcome() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "awaited value")
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { rig in
      onThreads(2) { thread in
        if thread == 0 {
          #expect(signal.producer.waitForFirst() == .success(1))
        } else {
          awaitBeginning(.outcome, in: rig)
          input.send(value: 1)
        }
      }
      // This one has nothing to wait for.
      onThreads(1) { _ in
        #expect(SignalProducer<Int, Never>(value: 7).waitForFirst() == .success(7))
      }
    }
    let records = waits(.outcome, in: rig)
    let stream = try #require(rig.streams.first { $0.id == records.first?.stream })
    #expect(stream.name == "awaited value")
    try expect(records, of: stream.id, in: rig)
  }

  @Test("T3: a sender that waits for another thread's delivery tells so, once for each wait")
  func delivery() async throws {
    let (signal, input) = Signal<Int, Never>.pipe(named: "busy stream")
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { rig in
      let isInside = Flag()
      signal.observeValues { value in
        guard value == 1 else { return }
        isInside.raise()
        awaitBeginning(.delivery, in: rig)
      }
      onThreads(2) { thread in
        if thread == 1 { isInside.wait() }
        input.send(value: thread + 1)
      }
    }
    let stream = try #require(rig.stream(named: "busy stream")).id
    let records = waits(.delivery, in: rig).filter { $0.stream == stream }
    try expect(records, of: stream, in: rig)
    // The waiting thread's value comes after its wait.
    let values = rig.records(.value, of: stream)
    #expect(values.map(\.word) == [1, 2])
    #expect(values[1].thread == records[0].thread)
    #expect(values[1].causes.isEmpty)
  }

  @Test("T3: a reader that waits for a change in place tells so")
  func change() async throws {
    let property = MutableProperty(1, named: "changed in place")
    let rig = await ProbeRig.record(wish: [.allStreams, .stacks]) { rig in
      let isInside = Flag()
      onThreads(2) { thread in
        if thread == 0 {
          property.modify {
            isInside.raise()
            awaitBeginning(.change, in: rig)
            $0 = 2
          }
        } else {
          isInside.wait()
          #expect(property.value == 2)
        }
      }
    }
    let stream = try #require(rig.stream(named: "changed in place")).id
    try expect(waits(.change, in: rig), of: stream, in: rig)
  }
}
