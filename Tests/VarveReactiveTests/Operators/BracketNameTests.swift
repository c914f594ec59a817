import ReactiveCocoa2Compatibility
import Testing
import VarveReactive
import VarveTesting

/// What holds for the names that operators have in ReactiveCocoa 2's form.
@Suite struct BracketNameTests {
  @Test("N5: an operator extends ReactiveCocoa 2's form of the name", arguments: OperatorTable.all)
  func form(_ subject: OperatorUnderTest) {
    let expected = Self.expected(subject.name)
    for apply in [subject.hot, subject.cold] {
      guard let trial = apply?(0) else { continue }
      #expect(NameRendering.name(of: trial.stream, in: .brackets) == expected)
    }
  }

  /// Returns ReactiveCocoa 2's form of a name that begins with `source`, or is that of a function.
  private static func expected(_ name: String) -> String {
    if name == "source" { return name }
    let label = name.hasPrefix("source.") ? String(name.dropFirst(7)) : name
    let form = forms[label] ?? listing(label) ?? label
    return form.hasPrefix("+") || form.hasPrefix("[") ? form : "[source] \(form)"
  }

  /// Returns the form of a function of several streams: of `merge(source, value)`, the two in a list.
  private static func listing(_ label: String) -> String? {
    guard let open = label.firstIndex(of: "("), let function = functions[String(label[..<open])]
    else { return nil }
    let streams = label[label.index(after: open)...].dropLast().split(separator: ", ")
      .map { "    \"\($0 == "value" ? "+return:" : $0)\"" }
    return "\(function) (\n\(streams.joined(separator: ",\n"))\n)"
  }

  private static let functions = [
    "all": "+combineLatest:",
    "any": "+combineLatest:",
    "combineLatest": "+combineLatest:",
    "merge": "+merge:",
    "zip": "+zip:",
  ]

  /// What an operator adds to `[source] `, or the whole name if that begins with `+` or `[`.
  private static let forms = [
    "allSatisfy(_:)": "-all:",
    "and(source)": "-and",
    "and(value)": "-and",
    "attempt(_:)": "-try:",
    "attemptMap(_:)": "-tryMap:",
    "bind(_:)": "-bind:",
    "collect()": "-collect",
    "collect(_:)": "-collect:",
    "collect(count: 2)": "-buffer: 2",
    "collect(every: 3600s, on: TestScheduler)":
      "-bufferWithTime: 3600.000000 onScheduler: TestScheduler",
    "combineLatest(with: source)": "-combineLatestWith: source",
    "combineLatest(with: source.map(_:))": "-combineLatestWith: [source] -map:",
    "combineLatest(with: value)": "-combineLatestWith: +return:",
    "combinePrevious()": "-combinePrevious",
    "combinePrevious(_:)": "-combinePreviousWithStart: (description skipped) reduce:",
    "compactMap(_:)": "-compactMap:",
    "concat(error:)": "-concat: (description skipped)",
    "concat(value)": "-concat: +return:",
    "concat(value:)": "-concat: (description skipped)",
    "contains(_:)": "-any:",
    "contains(where:)": "-any:",
    "debounce(300ms, on: TestScheduler)": "-throttle: 0.300000",
    "debounce(300ms, on: TestScheduler, where:)": "-throttle: 0.300000 valuesPassingTest:",
    "delay(1.5s, on: TestScheduler)": "-delay: 1.500000",
    "dematerialize()": "-dematerialize",
    "dematerializeResults()": "-dematerializeResults",
    "filter(_:)": "-filter:",
    "flatMap(.concat, _:)": "-flattenMap:",
    "flatMap(.concurrent(limit: 2), _:)": "-flattenMap:",
    "flatMap(.latest, _:)": "-flattenMap:",
    "flatMap(.merge, _:)": "-flattenMap:",
    "flatMap(.race, _:)": "-flattenMap:",
    "flatMap(.throttle, _:)": "-flattenMap:",
    "flatMapError(_:)": "-catch:",
    "flatten()": "-flatten",
    "flatten(.concat)": "-flatten",
    "groupBy(_:)": "-groupBy:transform:",
    "hasAnyValue()": "-any",
    "if(source, then: value, else: empty)": "+if: source then: +return: else: +empty",
    "if(value, then: source, else: empty)": "+if: +return: then: source else: +empty",
    "ignore(_:)": "-ignore: (description skipped)",
    "ignoreValues()": "-ignoreValues",
    "lazyMap(on: TestScheduler, transform:)": "-lazyMapOn: TestScheduler transform:",
    "lift(_:)": "-lift:",
    "map(_:)": "-map:",
    "map(value:)": "-mapReplace: (description skipped)",
    "mapError(_:)": "-mapError:",
    "materialize()": "-materialize",
    "materializeResults()": "-materializeResults",
    "merge(with: empty)": "-merge: +empty",
    "merge(with: never)": "-merge: +never",
    "merge(with: source)": "-merge: source",
    "negate()": "-not",
    "observe(on: TestScheduler)": "-deliverOn: TestScheduler",
    "on(value:)": "-doNext:",
    "on(…)": "-on:",
    "or(source)": "-or",
    "or(value)": "-or",
    "prefix(value)": "-startWith: +return:",
    "prefix(value:)": "-startWith: (description skipped)",
    "promoteError(_:)": "-promoteError:",
    "promoteValue(_:)": "-promoteValue:",
    "publish().autoconnect()": "[[source] -multicast: [source] -publish] -autoconnect",
    "reduce(_:_:)": "-aggregateWithStart: (description skipped) reduce:",
    "reduce(into:_:)": "-aggregateWithStart: (description skipped) reduce:",
    "reduce(startingWith:_:)": "-aggregateWithStartFactory:reduce:",
    "reduceIndexed(_:_:)": "-aggregateWithStart: (description skipped) reduceWithIndex:",
    "repeat(2)": "-repeat: 2",
    "repeatForever()": "-repeat",
    "replayLazily()": "-replayLazily",
    "replayLazily(upTo: 1)": "-replayLazily",
    "retry()": "-retry",
    "retry(upTo: 1)": "-retry: 1",
    "retry(upTo: 1, interval: 1s, on: TestScheduler)":
      "-retry: 1 interval: 1.000000 onScheduler: TestScheduler",
    "sample(on: never)": "-sample: +never",
    "sample(with: never)": "-sampleWith: +never",
    "scan(_:_:)": "-scanWithStart: (description skipped) reduce:",
    "scan(into:_:)": "-scanWithStart: (description skipped) reduce:",
    "scanIndexed(_:_:)": "-scanWithStart: (description skipped) reduceWithIndex:",
    "scanMap(_:_:)": "-scanMap:",
    "scanMap(into:_:)": "-scanMap:",
    "skip(first: 1)": "-skip: 1",
    "skip(until: never)": "-skipUntil: +never",
    "skip(until: value)": "-skipUntil: +return:",
    "skip(while:)": "-skipWhileBlock:",
    "skipNil()": "-skipNil",
    "skipRepeats()": "-distinctUntilChanged",
    "skipRepeats(_:)": "-distinctUntilChanged",
    "start(on: TestScheduler)": "-subscribeOn: TestScheduler",
    "startOnCurrentScheduler().start(on: ImmediateScheduler)":
      "[[source] -startOnCurrentScheduler] -subscribeOn: ImmediateScheduler",
    "switch(source, cases:, default: empty)": "+switch: source cases: {…} default: +empty",
    "switch(value, cases:, default: source)": "+switch: +return: cases: {…} default: source",
    "take(during:)": "-takeDuring:",
    "take(first: 0)": "-take: 0",
    "take(first: 1)": "-take: 1",
    "take(first: 2)": "-take: 2",
    "take(last: 2)": "-takeLast: 2",
    "take(until: never)": "-takeUntil: +never",
    "take(until:)": "-takeUntilBlock:",
    "take(untilReplacement: never)": "-takeUntilReplacement: +never",
    "take(while:)": "-takeWhileBlock:",
    "then(value)": "-then:",
    "throttle(300ms, on: TestScheduler)": "-throttle: 0.300000 onScheduler: TestScheduler",
    "throttle(while: empty, on: TestScheduler)":
      "-throttleWhile: +empty onScheduler: TestScheduler",
    "timeout(after: 999999s, raising:, on: TestScheduler)":
      "-timeout: 999999.000000 onScheduler: TestScheduler",
    "uniqueValues()": "-uniqueValues",
    "uniqueValues(_:)": "-uniqueValues",
    "withLatest(from: never)": "-withLatestFrom: +never",
    "withLatest(from: value)": "-withLatestFrom: +return:",
    "zip(with: source)": "-zipWith: source",
    "zip(with: source.map(_:))": "-zipWith: [source] -map:",
    "zip(with: values)": "-zipWith: +createSignal:",
  ]
}
