import VarvePlatform
import VarveProbe
import VarveReactive
import VarveRecorder

/// What the program can do with streams.
let streamPlays: [String: @Sendable (Arguments) -> Void] = [
  // path count options: so many values on each of some streams, and what is derived from them.
  "streams": { arguments in
    start(arguments)
    let scene = StreamScene()
    for value in 1...arguments.count { scene.send(value) }
  },
  // path count options: records all, leaves the ticker out, records all, …; so many values each time.
  "reconfigure": { arguments in
    start(arguments)
    let scene = StreamScene()
    var value = 0
    for turn in 0..<12 {
      Recorder.configure { $0.selection.excluded = turn % 2 == 0 ? [] : ["ticker*"] }
      for _ in 0..<arguments.count {
        value += 1
        scene.send(value)
      }
    }
  },
  // path count options file: values at a human pace, until a file is there; how many have been sent is
  // in a file beside it.
  "controlled": { arguments in
    start(arguments)
    let scene = StreamScene()
    let sent = open(arguments[3] + "-sent", O_WRONLY | O_CREAT, 0o600)
    var value = 0
    while access(arguments[3], F_OK) != 0 {
      value += 1
      scene.send(value)
      pwrite(sent, &value, MemoryLayout<Int>.size, 0)
      usleep(500)
    }
  },
  // path count options file: begins another recording in the midst of two deliveries, and sends values
  // of another stream there; and some more when the inner delivery is over.
  "restartInside": { arguments in
    start(arguments)
    let (outer, outerInput) = Signal<Int, Never>.pipe(named: "outer")
    let (inner, innerInput) = Signal<Int, Never>.pipe(named: "inner")
    let (others, other) = Signal<Int, Never>.pipe(named: "other")
    others.observeValues { _ in }
    inner.observeValues { _ in
      Recorder.stop()
      start(arguments, at: arguments[3])
      for value in 1...arguments.count { other.send(value: value) }
    }
    outer.observeValues { value in
      innerInput.send(value: value)
      for value in 1...arguments.count { other.send(value: value) }
    }
    outerInput.send(value: 1)
    for value in 1...arguments.count { other.send(value: value) }
  },
  // path count options: the same values, and more that nobody records while the streams live on.
  "stopped": { arguments in
    start(arguments)
    let scene = StreamScene()
    for value in 1...arguments.count { scene.send(value) }
    Recorder.stop()
    for value in 1...arguments.count { scene.send(value) }
  },
  // path count options: so many values for a queue that takes them up when the trace has gone on in
  // another file.
  "parted": { arguments in
    start(arguments)
    let (output, input) = Signal<Int, Never>.pipe(named: "input")
    let queue = QueueScheduler(name: "late")
    let progress = Progress()
    output.observe(on: queue).named("late").observeValues { progress.value = UInt64($0) }
    queue.schedule { while !progress.isOver { usleep(1_000) } }
    for value in 1...arguments.count { input.send(value: value) }
    Recorder.flush()
    waitForFile(containing: "run-1.varve", besides: arguments.path)
    progress.isOver = true
    while progress.value < UInt64(arguments.count) { usleep(100) }
  },
  // path count options: switches recording on and off again while two threads send, so many times,
  // each time into a file of its own: the path and the turn, from 1.
  "switched": { arguments in
    let progress = Progress()
    let senders = (0..<2).map { _ in
      Thread {
        let scene = StreamScene()
        var value = 0
        while !progress.isOver {
          value += 1
          scene.send(value)
        }
      }
    }
    for turn in 1...arguments.count {
      start(arguments, at: "\(arguments.path).\(turn)")
      usleep(3_000)
      Recorder.stop()
    }
    progress.isOver = true
    for sender in senders { sender.join() }
  },
  // path count options: forks so many times while threads make streams, and each child makes some.
  "births": { arguments in
    start(arguments)
    let progress = Progress()
    let makers = (0..<3).map { _ in
      Thread {
        // What Swift makes at its first use is there before anything is forked: a child would wait
        // for a thread of its parent's to finish it.
        StreamScene().send(1)
        progress.begin()
        while !progress.isOver { StreamScene().send(1) }
      }
    }
    while progress.begun < makers.count { usleep(1_000) }
    for turn in 1...arguments.count {
      let child = forked()
      if child == 0 {
        StreamScene().send(1)
        _exit(0)
      }
      expectEnd(of: child, turn)
    }
    progress.isOver = true
    for maker in makers { maker.join() }
  },
  // path count options: work on two queues of their own.
  "queues": { arguments in
    start(arguments)
    for name in ["search", "index"] {
      let (output, input) = Signal<Int, Never>.pipe(named: name)
      let scheduler = QueueScheduler(name: name)
      let progress = Progress()
      output.observe(on: scheduler).observeValues { progress.value = UInt64($0) }
      for value in 1...arguments.count { input.send(value: value) }
      while progress.value < UInt64(arguments.count) { usleep(100) }
    }
  },
  // path count options: a property that its own observer changes, so many times.
  "recursive": { arguments in
    start(arguments)
    let property = MutableProperty(0, named: "echo")
    property.signal.observeValues { if $0 < arguments.count { property.value = $0 + 1 } }
    property.value = 1
    Recorder.stop()
  },
  // path count options: values of many types, some of them private, and no clean end.
  "secrets": { arguments in
    start(arguments)
    sendSecrets()
    Recorder.flush()
    sendSecrets()
    _exit(0)
  },
]

/// Some streams with and without names.
private struct StreamScene {
  private let login = Signal<Int, Never>.pipe(named: "login")
  private let ticker = Signal<Int, Never>.pipe(named: "ticker")
  private let unnamed = Signal<Int, Never>.pipe()

  init() {
    login.output.map { $0 * 2 }.observeValues { _ in }
    ticker.output.filter { $0 % 2 == 0 }.named("ticker.even").observeValues { _ in }
    unnamed.output.observeValues { _ in }
  }

  func send(_ value: Int) {
    login.input.send(value: value)
    ticker.input.send(value: value)
    unnamed.input.send(value: value)
  }
}

private struct Account {
  var name: String
  var password: Withheld<String>
}

private struct Token: TraceValue, Hashable {
  var text: String
  var tracePayload: TracePayload { .withheld }
}

private struct Holder: Hashable { var token: Token }

/// A container of another library's, which describes what it holds by itself.
private struct Shelf<Element>: Sequence, CustomDebugStringConvertible, CustomReflectable {
  var elements: [Element]
  func makeIterator() -> some IteratorProtocol<Element> { elements.makeIterator() }
  var debugDescription: String { "\(elements)" }
  var customMirror: Mirror { Mirror(self, unlabeledChildren: elements, displayStyle: .collection) }
}

private struct Temperature: TraceValue {
  var celsius: Double
  var tracePayload: TracePayload { .real(celsius) }
}

private struct Mishap: Error { var detail: String }

/// Everything that says `secret` is private in one way or another.
private func sendSecrets() {
  func send<Value>(_ values: Value..., on name: String) {
    let (output, input) = Signal<Value, Mishap>.pipe(named: name)
    output.observe { _ in }
    for value in values { input.send(value: value) }
    input.send(error: Mishap(detail: name == "typed" ? "secret" : "public"))
  }
  send(Withheld("secret"), on: "withheld")
  send(Withheld("secret"), nil, on: "withheld.optional")
  send([Withheld("secret")], on: "withheld.array")
  send(["key": Withheld("secret")], on: "withheld.dictionary")
  send(Account(name: "ada", password: Withheld("secret")), on: "account")
  send((1, Withheld("secret")), on: "withheld.tuple")
  send(Token(text: "secret"), on: "token")
  send([Token(text: "secret")], on: "token.array")
  send(Result<Token, Never>.success(Token(text: "secret")), on: "token.result")
  send(["key": Token(text: "secret")].values, on: "token.values")
  send([Token(text: "secret"): 1].keys, on: "token.keys")
  send(AnyHashable(Holder(token: Token(text: "secret"))), on: "token.hashable")
  send([AnyHashable(Holder(token: Token(text: "secret")))], on: "token.hashables")
  send(Shelf(elements: [Holder(token: Token(text: "secret"))]), on: "token.shelf")
  send("secret", on: "private.text")
  send(5_318_008, on: "private.number")
  send("secret", on: "typed")
  send("plain", on: "text")
  send(Temperature(celsius: 36.5), on: "temperature")
  send([1, 2, 3], on: "numbers")
  send(Array(repeating: "word", count: 100_000), on: "long")
  let words = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ($0, "word") })
  send(words.values, on: "long.values")
  send(["one": 1].keys, on: "keys")
}
