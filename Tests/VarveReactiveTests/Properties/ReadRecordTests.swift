import CVarveSystem
import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// What a trace is told of reads of properties.
@Suite("Reads in a trace", .serialized)
struct ReadRecordTests {
  private func record(_ body: () -> Void) async -> ProbeRig {
    await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in
      vv_reads_want(true)
      body()
      vv_reads_want(false)
    }
  }

  private func reads(of name: String, in rig: ProbeRig) throws -> [RigRecord] {
    rig.records(.read, of: try #require(rig.stream(named: name)).id)
      .filter { $0.payload == .cause }
  }

  @Test("T3: if it is wanted, a read of a property is told, with the stack of the code that reads")
  func stacks() async throws {
    let property = MutableProperty(1, named: "read twice")
    let view = property.map { $0 + 1 }
    let rig = await record {
      _ = property.value
      _ = property.withValue { $0 }
      _ = view.value
      property.signal.observeValues { _ in _ = property.value }
      property.value = 2
    }
    let found = try reads(of: "read twice", in: rig)
    #expect(found.count == 3)
    let stacks = found.map { HopPayload(word: $0.word).stack }
    #expect(Set(stacks).count == 3 && !stacks.contains(0))
    #expect(Set(rig.stacks).isSuperset(of: stacks))
    // The one in the observer's closure belongs to the delivery.
    let stream = try #require(rig.stream(named: "read twice")).id
    let value = try #require(rig.records(.value, of: stream).last)
    #expect(found.map(\.causes) == [[], [], [value.reference]])
    #expect(try reads(of: view.description, in: rig).count == 1)
  }

  @Test("T3: code that takes the signal of a property's changes is told apart from code that reads")
  func changes() async throws {
    let property = MutableProperty(1, named: "taken")
    let view = property.map { $0 + 1 }
    let rig = await record {
      property.signal.observeValues { _ in }
      _ = property.signal
      _ = view.signal
      _ = property.value
      // The library's own use is none of the program's.
      property <~ SignalProducer(value: 2)
      _ = Property(capturing: property)
    }
    let stream = try #require(rig.stream(named: "taken")).id
    let taken = rig.records(.read, of: stream).filter { $0.payload == .stream }
      .map { SubscriptionPayload(word: $0.word) }
    #expect(taken.map(\.stream) == [stream, stream])
    #expect(Set(taken.map(\.stack)).count == 2 && taken.allSatisfy { $0.stack != 0 })
    #expect(try reads(of: "taken", in: rig).count == 1)
    let other = try #require(rig.stream(named: view.description)).id
    #expect(rig.records(.read, of: other).map(\.payload) == [.stream])
  }

  @Test("T3: of a property at most 64 reads are told between two changes")
  func bounded() async throws {
    let property = MutableProperty(0, named: "read often")
    let rig = await record {
      for _ in 0..<200 { _ = property.value }
      property.value = 1
      for _ in 0..<100 { _ = property.value }
    }
    let stream = try #require(rig.stream(named: "read often")).id
    let all = rig.records(of: stream).filter { $0.kind == .read || $0.kind == .value }
    let parts = all.split(omittingEmptySubsequences: false) { $0.kind == .value }
    #expect(parts.map(\.count) == [64, 64])
  }

  @Test("T3: what the library reads by itself is not told, nor anything unless it is wanted")
  func own() async throws {
    let property = MutableProperty(1, named: "read by nobody")
    let state = MutableProperty(1, named: "state of an action")
    let action = Action<Int, Int, Never>(state: state) { _, input in SignalProducer(value: input) }
    let validating = ValidatingProperty<Int, Never>(property, with: state) { _, _ in .valid }
    let rig = await record {
      property.producer.combineLatest(with: state.producer).startWithValues { _ in }
      action.apply(1).start()
      validating.value = 2
      state.value = 3
    }
    #expect(rig.records.filter { $0.kind == .read && ofOwn($0, in: rig) }.isEmpty)
    let unasked = await ProbeRig.record(wish: [.allStreams, .stacks]) { _ in
      _ = property.value
    }
    #expect(unasked.records.filter { $0.kind == .read && ofOwn($0, in: unasked) }.isEmpty)
  }

  private func ofOwn(_ record: RigRecord, in rig: ProbeRig) -> Bool {
    let names = ["read by nobody", "state of an action"]
    return rig.streams.contains { $0.id == record.stream && names.contains($0.name) }
  }
}
