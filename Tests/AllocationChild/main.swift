import AllocationCounter
import Glibc
import Varve

/// What the observers do: something that the compiler cannot leave out.
final class Sum: @unchecked Sendable {
  // Safety: one thread sends.
  var total = 0
  var characters = 0
}

let sum = Sum()
let events = 100_000

/// Counts what `send` allocates for 100,000 events, after as many that may fill caches.
func count(_ name: String, _ send: (Int) -> Void) {
  for event in 0..<events { send(event) }
  let before = allocations_of_this_thread()
  for event in 0..<events { send(event) }
  let allocations = allocations_of_this_thread() - before
  print(name, allocations)
}

// The counter has to count, or the test could not fail.
count("control") { _ in sum.total &+= Sum().total }

func countAll(_ suffix: String) {
  let (pipe, input) = Signal<Int, Never>.pipe(named: "pipe")
  pipe.observeValues { sum.total &+= $0 }
  count("one observer" + suffix) { input.send(value: $0) }

  let (source, feed) = Signal<Int, Never>.pipe(named: "source")
  source.map { $0 + 1 }.filter { $0 & 1 == 0 }.map { $0 * 2 }
    .observeValues { sum.total &+= $0 }
  count("map, filter, map" + suffix) { feed.send(value: $0) }

  let (start, front) = Signal<Int, Never>.pipe(named: "start")
  (0..<100).reduce(start) { $0.map { $0 &+ 1 }.named("a name that is long, for stage \($1)") }
    .observeValues { sum.total &+= $0 }
  count("two hundred stages, named" + suffix) { front.send(value: $0) }

  let (crowd, crier) = Signal<Int, Never>.pipe(named: "crowd")
  for _ in 0..<100 { crowd.observeValues { sum.total &+= $0 } }
  count("a hundred observers" + suffix) { crier.send(value: $0) }

  let property = MutableProperty(0, named: "property")
  property.signal.observeValues { sum.total &+= $0 }
  count("property" + suffix) { property.value = $0 }

  let (texts, writer) = Signal<String, Never>.pipe(named: "texts")
  texts.observeValues { sum.characters &+= $0.utf8.count }
  let long = "a text that is longer than fifteen bytes"
  count("texts" + suffix) { writer.send(value: $0 & 1 == 0 ? "short" : long) }

  let inputs = (0..<8).map { _ in Signal<Int, Never>.pipe(named: "input") }
  Signal.merge(inputs.map(\.output)).observeValues { sum.total &+= $0 }
  count("merge of eight" + suffix) { inputs[$0 & 7].input.send(value: $0) }
}

countAll("")
var options = Recorder.Options()
options.policy = .block
try Recorder.start(to: CommandLine.arguments[1], options: options)
countAll(", recorded")
Recorder.stop()
