import Testing
import VarveProbe
import VarveReactive
import VarveTestRig

/// Chains that are much longer than a stack is deep.
@Suite struct DeepChainTests {
  /// A call for each stage overflows a small stack many times over.
  private static let length = 20_000

  private static func chain(from source: Signal<Int, Never>, _ length: Int) -> Signal<Int, Never> {
    var chain = source
    for _ in 0..<length { chain = chain.map { $0 } }
    return chain
  }

  @Test("S4: a long chain of signals that goes out of use lets its source go, on a small stack")
  func outOfUse() {
    let log = Box<[String]>([])
    onSmallStack {
      let source = Signal<Int, Never> { input, lifetime in
        lifetime.observeEnded {
          log.append("ended")
          withExtendedLifetime(input) {}
        }
      }
      var end: Signal<Int, Never>? = Self.chain(from: source, Self.length)
      #expect(end?.description.hasSuffix(".map(_:)") == true)
      log.append("held")
      _ = source
      end = nil
      log.append("let go")
    }
    #expect(log.value.count == 3)
    #expect(log.value.first == "held" && log.value.contains("ended"))
  }

  @Test("S4: a long chain of signals with roots of their own is let go of on a small stack")
  func rootsOutOfUse() {
    let log = Box<[String]>([])
    onSmallStack {
      var end: Signal<Int, Never>? = Signal<Int, Never> { input, lifetime in
        lifetime.observeEnded {
          log.append("ended")
          withExtendedLifetime(input) {}
        }
      }
      for _ in 0..<Self.length / 5 { end = end?.merge(with: .never) }
      log.append("held")
      end = nil
    }
    #expect(log.value == ["held", "ended"])
  }

  @Test("Y5: a long chain of properties is let go of on a small stack")
  func properties() {
    final class Token: Sendable {}
    let isAlive = Box<(@Sendable () -> Bool)?>(nil)
    onSmallStack {
      let source = MutableProperty(0)
      var end: Property<Int>? = Property(source)
      let token = Token()
      isAlive.set { [weak token] in token != nil }
      for _ in 0..<Self.length / 5 {
        end = end?.map { value in withExtendedLifetime(token) { value } }
      }
      end = nil
    }
    #expect(isAlive.value?() == false)
  }

  @Test("S7: the last observer of a long chain that nobody holds is detached on a small stack")
  func lastObserver() {
    let log = Box<[String]>([])
    onSmallStack {
      let observation = Box<(any Disposable)?>(nil)
      do {
        let source = Signal<Int, Never> { input, lifetime in
          lifetime.observeEnded {
            log.append("ended")
            withExtendedLifetime(input) {}
          }
        }
        observation.set(
          Self.chain(from: source, Self.length).observe { log.append($0.description) })
      }
      log.append("observed")
      observation.value?.dispose()
    }
    #expect(log.value == ["observed", "ended"])
  }

  @Test("S4: a long chain hears on a small stack that its last input has gone")
  func lastInput() {
    let log = Box<[String]>([])
    onSmallStack {
      var pipe: (output: Signal<Int, Never>, input: Signal<Int, Never>.Observer)? = Signal.pipe()
      guard let source = pipe?.output else { return }
      let end = Self.chain(from: source, Self.length)
      end.observe { log.append($0.description) }
      pipe = nil
      log.append("dropped")
      end.observe { log.append($0.description) }
    }
    #expect(log.value == ["INTERRUPTED", "dropped", "INTERRUPTED"])
  }

  @Test("S6: all along a chain the end is heard once, and before what fed it is disposed of")
  func endEverywhere() {
    let length = 500
    let heard = Box([Int](repeating: 0, count: length + 1))
    let heardBefore = Box(0)
    let (source, input) = Signal<Int, Never>.pipe(
      disposable: AnyDisposable { heardBefore.set(heard.value.reduce(0, +)) })
    var chain = source
    for level in 0...length {
      chain.observeCompleted { heard.change { $0[level] += 1 } }
      if level < length { chain = chain.map { $0 } }
    }
    input.sendCompleted()
    #expect(heard.value == [Int](repeating: 1, count: length + 1))
    #expect(heardBefore.value == length + 1)
  }

  @Test("S5: a stage that ends a long chain in the middle of a value ends it before `send` returns")
  func endInValue() {
    let log = Box<[String]>([])
    let (source, input) = Signal<Int, Never>.pipe()
    let end = Self.chain(from: source.take(first: 1), 500)
    end.observe { log.append($0.description) }
    input.send(value: 7)
    log.append("sent")
    #expect(log.value == ["VALUE 7", "COMPLETED", "sent"])
  }

  @Test("P1: a long chain of producers is numbered on a small stack")
  func producers() {
    let names = Box<[String]>([])
    onSmallStack {
      var chain = SignalProducer<Int, Never>.never
      for _ in 0..<Self.length { chain = chain.map { $0 } }
      chain.startWithSignal { signal, interruption in
        interruption.dispose()
        names.append(signal.description)
      }
    }
    #expect(names.value.count == 1)
    #expect(names.value[0].hasSuffix(".map(_:)"))
  }

  @Test("T3: a recording hears of a long chain's streams, sources first, on a small stack")
  func definitions() async {
    let length = 5_000
    let (source, input) = Signal<Int, Never>.pipe(named: "deep source")
    let end = Self.chain(from: source, length)
    let rig = await ProbeRig.record { _ in onSmallStack { end.observeValues { _ in } } }
    input.sendCompleted()
    let streams = rig.streams
    let first = streams.firstIndex { $0.name == "deep source" }
    #expect(first != nil)
    var known = Set(streams[..<(first ?? 0)].map(\.id))
    let ours = streams[(first ?? 0)...].filter { stream in
      known.insert(stream.id)
      return stream.parents.allSatisfy { known.contains($0) } && stream.name.hasSuffix("map(_:)")
    }
    #expect(ours.count >= length)
  }

  @Test("T3: a long chain that ends while a recording has begun learns of both on a small stack")
  func recordedEnd() async {
    let length = 5_000
    let (source, input) = Signal<Int, Never>.pipe(named: "deep end")
    let chain = Self.chain(from: source, length)
    let side = source.map { $0 }
    let log = Box<[String]>([])
    side.observe { log.append("side \($0)") }
    chain.observe { log.append($0.description) }
    let rig = await ProbeRig.record { _ in onSmallStack { input.sendCompleted() } }
    #expect(Set(log.value) == ["COMPLETED", "side COMPLETED"])
    var ours = Set(rig.stream(named: "deep end").map { [$0.id] } ?? [])
    for stream in rig.streams where stream.parents.contains(where: ours.contains) {
      ours.insert(stream.id)
    }
    let ends = rig.records.filter { $0.kind == .completed && ours.contains($0.stream) }
    #expect(ends.count >= length)
  }
}
