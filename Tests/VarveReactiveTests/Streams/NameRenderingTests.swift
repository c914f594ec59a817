import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTestRig

/// Names of graphs that are too deep, or too wide, to be shown whole.
@Suite struct NameRenderingTests {
  private typealias Producer = SignalProducer<Int, Never>

  @Test("N4: the name of a chain of a hundred thousand stages is short, and needs no deep stack")
  func deep() {
    let names = Box<[String]>([])
    onSmallStack {
      var chain = Producer.never
      for _ in 0..<100_000 { chain = chain.map { $0 } }
      names.set([chain.description, chain.bracketDescription, chain.derivation])
    }
    #expect(names.value[0].hasPrefix("….map(_:).map(_:)"))
    #expect(names.value[0].hasSuffix(".map(_:)"))
    #expect(names.value[0].count <= 512)
    #expect(names.value[0] == names.value[2])
    let bracketed = names.value[1]
    #expect(bracketed.count <= 4096)
    #expect(bracketed.hasSuffix("] -map:] -map:"))
    #expect(bracketed.count { $0 == "[" } == bracketed.count { $0 == "]" })
  }

  @Test("N4: the name of a merge of ten thousand streams shows some of them")
  func wide() {
    let merge = Producer.merge((0..<10_000).map { Producer.never.named("stream\($0)") })
    #expect(merge.description.hasPrefix("merge(stream0, stream1, "))
    #expect(merge.description.hasSuffix(", stream7, …)"))
    #expect(merge.bracketDescription.hasPrefix("+merge: (\n    \"stream0\",\n    \"stream1\",\n"))
    #expect(merge.bracketDescription.count < 4096)
  }

  @Test("N4: a graph in which every stage has the one before it twice is named at once")
  func bushy() {
    var bush = Producer.never.named("root")
    for _ in 0..<200 { bush = Producer.merge(bush, bush).map { $0 } }
    for _ in 0..<200 { bush = bush.combineLatest(with: bush).map { $0 + $1 } }
    #expect(bush.description.count <= 512)
    #expect(bush.bracketDescription.count <= 4096)
  }

  @Test("N4: stages that leave the name as it is cost no length")
  func transparent() {
    var chain = Producer.never.named("quiet")
    for _ in 0..<1_000 { chain = chain.logEvents(to: .events { _ in }) }
    #expect(chain.description == "quiet")
  }

  @Test(
    "N2: times are named as short as they can be, and the longest ones at all",
    arguments: [
      (Duration.zero, "0s"), (.milliseconds(150), "150ms"), (.milliseconds(1_500), "1.5s"),
      (.milliseconds(1_550), "1550ms"), (.nanoseconds(7), "7ns"), (.nanoseconds(10_001), "10001ns"),
      (.nanoseconds(Int64.max), "9223372036s"), (.seconds(Int64.max), "9223372036854775807s"),
    ])
  func times(length: Duration, name: String) {
    let scheduler = TestScheduler()
    let delayed = Producer(value: 1).named("one").delay(length, on: scheduler)
    #expect(delayed.description.hasPrefix("one.delay(\(name), on: "))
    let run = delayed.start()
    run.dispose()
    QueueScheduler().schedule(after: length) {}?.dispose()
  }

  @Test("N4: a given name that is too long shows its end")
  func longGivenName() {
    let name = String(repeating: "x", count: 1_000) + "end"
    let named = Producer.never.named(name)
    #expect(named.description.count == 512)
    #expect(named.description.hasPrefix("…x"))
    #expect(named.description.hasSuffix("xend"))
  }

  @Test("N3: what a name replaced can still be shown")
  func derivation() {
    let (signal, _) = Signal<Int, Never>.pipe(named: "numbers")
    let named = signal.map { $0 + 1 }.named("successors")
    #expect(named.description == "successors")
    #expect(named.derivation == "numbers.map(_:)")
    #expect(named.skipRepeats().derivation == "successors.skipRepeats()")
    #expect(named.producer.derivation == "successors")
    #expect(Producer.never.map { $0 }.named("a").derivation == "never.map(_:)")
  }

  @Test("N5: the bracket form of what ReactiveCocoa 2 had, character for character")
  func bracketForms() {
    let (username, _) = Signal<String, Never>.pipe(named: "username")
    let (other, _) = Signal<String, Never>.pipe(named: "other")
    let scheduler = TestScheduler()
    let producer = username.producer
    let forms: [(String, String)] = [
      (
        username.skipRepeats().take(first: 3).filter { _ in true }.bracketDescription,
        "[[[username] -distinctUntilChanged] -take: 3] -filter:"
      ),
      (
        username.debounce(.milliseconds(500), on: scheduler).bracketDescription,
        "[username] -throttle: 0.500000"
      ),
      (
        username.combineLatest(with: other).bracketDescription,
        "[username] -combineLatestWith: other"
      ),
      (producer.concat(other.producer).bracketDescription, "[username] -concat: other"),
      (producer.then(other.producer).bracketDescription, "[username] -then:"),
      (
        username.take(until: other.map(value: ())).bracketDescription,
        "[username] -takeUntil: [other] -mapReplace: (description skipped)"
      ),
      (producer.retry(upTo: 2).bracketDescription, "[username] -retry: 2"),
      (producer.repeatForever().bracketDescription, "[username] -repeat"),
      (
        Signal.merge(username, other).bracketDescription,
        "+merge: (\n    \"username\",\n    \"other\"\n)"
      ),
      (SignalProducer<Int, Never>(value: 1).bracketDescription, "+return:"),
      (SignalProducer<Int, Never>.empty.bracketDescription, "+empty"),
      (SignalProducer<Int, Never>.never.bracketDescription, "+never"),
      (username.groupBy { $0 }.bracketDescription, "[username] -groupBy:transform:"),
      (producer.replayLazily(upTo: 3).bracketDescription, "[username] -replayLazily"),
      (producer.repeat(2).collect().bracketDescription, "[[username] -repeat: 2] -collect"),
    ]
    for (form, expected) in forms { #expect(form == expected) }
  }
}

@Suite struct DeliveringStreamsTests {
  @Test("T1: the streams that are delivering can be named anywhere, outermost first")
  func names() {
    let (numbers, input) = Signal<Int, Never>.pipe(named: "numbers")
    let (other, otherInput) = Signal<Int, Never>.pipe(named: "other")
    let seen = Box<[[String]]>([])
    numbers.map { $0 + 1 }.named("successors").observeValues { otherInput.send(value: $0) }
    other.filter { $0 > 0 }.observeValues { _ in seen.append(deliveringStreams()) }
    numbers.observeValues { _ in seen.append(deliveringStreams()) }
    #expect(deliveringStreams() == [])
    input.send(value: 1)
    #expect(
      seen.value == [
        ["numbers", "numbers.map(_:)", "successors", "other", "other.filter(_:)"], ["numbers"],
      ])
    #expect(deliveringStreams() == [])
  }

  @Test("T1: a started producer's streams, too, and those of the end")
  func producer() {
    let seen = Box<[[String]]>([])
    SignalProducer<Int, Never>([1]).named("list").map { $0 }.start { _ in
      seen.append(deliveringStreams())
    }
    let names = ["values", "list", "list.map(_:)"]
    #expect(seen.value == [names, names])
  }

  @Test("T1: each thread has its own")
  func threads() {
    let (numbers, input) = Signal<Int, Never>.pipe(named: "numbers")
    let elsewhere = Box<[String]?>(nil)
    numbers.observeValues { _ in elsewhere.set(onFreshThread { deliveringStreams() }) }
    input.send(value: 1)
    #expect(elsewhere.value == [])
  }
}
