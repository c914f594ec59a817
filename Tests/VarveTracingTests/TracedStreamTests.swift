import Testing
import VarveProbe
import VarveTestRig
import VarveTracing

@Suite struct TracedStreamTests {
  @Test("K8: what is yielded and what is received are two streams, joined by causes")
  func bothSides() async throws {
    let rig = await ProbeRig.record(wish: [.allStreams, .absorption, .stacks, .senders]) { _ in
      let (stream, input) = AsyncStream.makeStream(of: Int.self, named: "k8.both")
      input.yield(1)
      input.yield(2)
      input.finish()
      var read: [Int] = []
      for await number in stream { read.append(number) }
      #expect(read == [1, 2])
    }
    let recorded = Recorded(rig: rig)
    #expect(recorded.kinds("k8.both") == [.subscribed, .value, .value, .completed, .ended])
    #expect(
      recorded.kinds("k8.both.values") == [.subscribed, .value, .value, .completed, .ended])
    let yielded = recorded.records("k8.both", .value, .completed)
    let received = recorded.records("k8.both.values", .value, .completed)
    #expect(received.map(\.causes) == yielded.map { [$0.reference] })
    #expect(zip(yielded, received).allSatisfy { $0.ticks < $1.ticks })
    #expect(recorded.records("k8.both", .sent).map(\.causes) == yielded.map { [$0.reference] })
    #expect(recorded.records("k8.both", .sent).allSatisfy { HopPayload(word: $0.word).stack != 0 })
    // The edge leads from one to the other.
    let edge = try #require(recorded.records("k8.both", .subscribed).first)
    let target = try #require(recorded.definition("k8.both.values"))
    #expect(SubscriptionPayload(word: edge.word).stream == target.id)
    #expect(received[0].subscription == edge.subscription)
    #expect(recorded.definition("k8.both").map { target.parents == [$0.id] } == true)
  }

  @Test(
    "K8: elements that the policy drops are told, each with its yielding",
    arguments: [
      (
        AsyncStream<Int>.Continuation.BufferingPolicy.bufferingNewest(1), 0,
        AbsorptionReason.superseded
      ),
      (.bufferingOldest(1), 1, .pastLimit),
    ])
  func dropping(
    policy: AsyncStream<Int>.Continuation.BufferingPolicy, dropped: Int, reason: AbsorptionReason
  ) async {
    let name = "k8.dropping\(dropped)"
    let rig = await ProbeRig.record { _ in
      let (stream, input) = AsyncStream.makeStream(
        of: Int.self, named: name, bufferingPolicy: policy)
      input.yield(10)
      guard case .dropped(10 + dropped) = input.yield(11) else {
        Issue.record("the wrong element was dropped")
        return
      }
      input.finish()
      for await number in stream { #expect(number == 11 - dropped) }
    }
    let recorded = Recorded(rig: rig)
    let yielded = recorded.records(name, .value)
    let absorbed = recorded.records("\(name).values", .absorbed)
    #expect(absorbed.map(\.causes) == [[yielded[dropped].reference]])
    #expect(absorbed.map(\.word) == [UInt64(reason.rawValue)])
  }

  @Test("K8: a consumer that goes ends the edge, and what is yielded after that goes nowhere")
  func consumerGone() async throws {
    let ends = Box<[String]>([])
    let rig = await ProbeRig.record { _ in
      let (stream, input) = AsyncStream.makeStream(of: Int.self, named: "k8.gone")
      input.onTermination = { end in ends.append("\(end)") }
      let task = Task { for await _ in stream {} }
      task.cancel()
      await task.value
      guard case .terminated = input.yield(1) else {
        Issue.record("the stream goes on")
        return
      }
    }
    #expect(ends.value == ["cancelled"])
    let recorded = Recorded(rig: rig)
    #expect(recorded.kinds("k8.gone") == [.subscribed, .ended, .value])
    #expect(recorded.reasons("k8.gone") == [.disposed])
    #expect(recorded.kinds("k8.gone.values") == [.subscribed, .interrupted, .ended, .absorbed])
    let refused = try #require(recorded.records("k8.gone.values", .absorbed).first)
    #expect(refused.causes == recorded.records("k8.gone", .value).map(\.reference))
  }

  @Test("K8: a failure reaches the consumer once, after the elements before it")
  func failing() async {
    let rig = await ProbeRig.record { _ in
      let (stream, input) = AsyncThrowingStream<Int, any Error>.makeStream(named: "k8.throwing")
      input.yield(1)
      input.finish(throwing: TestFailure())
      input.finish()
      var iterator = stream.makeAsyncIterator()
      do {
        #expect(try await iterator.next() == 1)
        _ = try await iterator.next()
        Issue.record("nothing was thrown")
      } catch {
        #expect(error is TestFailure)
      }
      let last = try? await iterator.next()
      #expect(last == .some(nil))
    }
    let recorded = Recorded(rig: rig)
    #expect(recorded.kinds("k8.throwing") == [.subscribed, .value, .failed, .ended])
    #expect(recorded.kinds("k8.throwing.values") == [.subscribed, .value, .failed, .ended])
    let failed = recorded.records("k8.throwing.values", .failed)
    #expect(failed.map(\.causes) == [recorded.records("k8.throwing", .failed).map(\.reference)])
  }

  @Test("K8: many producers lose nothing, and each element is received after its yielding")
  func manyProducers() async {
    let rig = await ProbeRig.record { _ in
      let (stream, input) = AsyncStream.makeStream(of: Int.self, named: "k8.many")
      await withTaskGroup(of: Void.self) { group in
        for producer in 0..<4 {
          group.addTask { for number in 0..<250 { input.yield(producer * 1_000 + number) } }
        }
        await group.waitForAll()
        input.finish()
      }
      var count = 0
      for await _ in stream { count += 1 }
      #expect(count == 1_000)
    }
    let recorded = Recorded(rig: rig)
    let yielded = Dictionary(
      uniqueKeysWithValues: recorded.records("k8.many", .value).map { ($0.reference, $0) })
    let received = recorded.records("k8.many.values", .value)
    #expect(yielded.count == 1_000)
    #expect(received.count == 1_000)
    for value in received {
      let cause = value.causes.first.flatMap { yielded[$0] }
      #expect(cause?.word == value.word)
      #expect(cause.map { $0.ticks < value.ticks } == true)
    }
  }
}
