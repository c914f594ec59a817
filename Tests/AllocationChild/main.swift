import AllocationCounter
import Varve
import VarvePlatform

/// What the observers do: something that the compiler cannot leave out.
final class Sum: @unchecked Sendable {
  // Safety: one thread sends.
  var total = 0
  var characters = 0
}

let sum = Sum()
let events = 100_000

/// A value that knows how it is recorded.
struct Temperature: TraceValue {
  var celsius: Double
  var tracePayload: TracePayload { .real(celsius) }
}

/// Another one, which is told as text.
struct Code: TraceValue {
  var number: Int
  var tracePayload: TracePayload { .string(number & 1 == 0 ? "even" : "odd") }
}

/// Counts what `send` allocates for 100,000 events, after as many that may fill caches, and how often
/// it counts references. Fewer events do where each passes many stages.
func count(_ name: String, events: Int = events, _ send: (Int) -> Void) {
  for event in 0..<events { send(event) }
  let (before, held) = (allocations_of_this_thread(), retains_of_this_thread())
  for event in 0..<events { send(event) }
  let (allocations, retains) = (allocations_of_this_thread(), retains_of_this_thread())
  print(name, allocations - before)
  print("references of \(name)", retains - held)
}

// A test that waits for a program that hangs is to fail, not to hang as well.
alarm(480)

// The counters have to count, or the tests could not fail.
// Safety: one thread sends.
nonisolated(unsafe) var held: Sum?
count("control") { _ in held = Sum() }
count("control of references") { held = $0 & 1 == 0 ? sum : nil }

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
  count("two hundred stages, named" + suffix, events: events / 10) { front.send(value: $0) }

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

/// Counts for values of one type. As a closure's result, a value lies where the caller wants it.
func countValues<Value>(_ name: String, _ value: (Int) -> Value) {
  let (pipe, input) = Signal<Value, Never>.pipe(named: name)
  pipe.observeValues { _ in sum.total &+= 1 }
  count(name) { input.send(value: value($0)) }
}

/// Counts for each type of value that is recorded as it is.
func countAllTypes(_ suffix: String) {
  countValues("Int" + suffix) { $0 }
  countValues("Int64" + suffix) { Int64($0) }
  countValues("Int32" + suffix) { Int32(truncatingIfNeeded: -$0) }
  countValues("Int16" + suffix) { Int16(truncatingIfNeeded: $0) }
  countValues("Int8" + suffix) { Int8(truncatingIfNeeded: $0) }
  countValues("UInt" + suffix) { UInt($0) }
  countValues("UInt64" + suffix) { UInt64($0) }
  countValues("UInt32" + suffix) { UInt32(truncatingIfNeeded: $0) }
  countValues("UInt16" + suffix) { UInt16(truncatingIfNeeded: $0) }
  countValues("UInt8" + suffix) { UInt8(truncatingIfNeeded: $0) }
  countValues("Double" + suffix) { Double($0) / 3 }
  countValues("Float" + suffix) { Float($0) / 3 }
  countValues("Bool" + suffix) { $0 & 1 == 0 }
  countValues("unit" + suffix) { _ in () }
  countValues("short strings" + suffix) { $0 & 1 == 0 ? "short" : "fifteen bytes !" }
  let lengthy = String(repeating: "a text of some hundred bytes, ", count: 12)
  countValues("long strings" + suffix) { _ in lengthy }
  countValues("TraceValue, a number" + suffix) { Temperature(celsius: Double($0)) }
  countValues("TraceValue, a text" + suffix) { Code(number: $0) }
}

countAll("")
countAllTypes("")
var options = Recorder.Options()
options.policy = .block
try Recorder.start(to: CommandLine.arguments[1], options: options)
countAll(", recorded")
countAllTypes(", recorded")
Recorder.stop()
