import Dispatch
import Foundation
import Synchronization
import Varve

/// Four threads send through eight schedulers, by every kind of operator that puts values aside,
/// joins them, makes streams of them or cancels streams.
@Sendable func eightSchedulers() {
  let queues = (0..<8).map { QueueScheduler(name: "queue \($0)") }
  let sources = (0..<4).map { Signal<Lineage, Never>.pipe(named: "source.\($0)") }
  let outputs = pipelines(of: sources.map(\.output), on: queues)
  let finished = DispatchSemaphore(value: 0)
  Signal.merge(outputs).observeCompleted { finished.signal() }
  recursion(of: sources[0].output)
  let meeting = Meeting(of: sources.count)
  for (number, source) in sources.enumerated() {
    Thread.detachNewThread {
      for turn in 0..<200 {
        // However the threads are run, all have sent something while all still send.
        if turn % 25 == 0 { meeting.wait() }
        source.input.send(value: Lineage([number * 1_000 + turn]))
        if turn % 16 == 0 { usleep(300) }
      }
      source.input.sendCompleted()
    }
  }
  finished.wait()
}

/// Where threads wait for each other, again and again.
private final class Meeting: Sendable {
  private let count: Int
  private let arrived = Atomic<Int>(0)

  init(of count: Int) { self.count = count }

  func wait() {
    let mine = arrived.add(1, ordering: .acquiringAndReleasing).newValue
    let round = (mine + count - 1) / count
    while arrived.load(ordering: .acquiring) < round * count { usleep(50) }
  }
}

private func pipelines(
  of sources: [Signal<Lineage, Never>], on queues: [QueueScheduler]
) -> [Signal<Lineage, Never>] {
  let crossing = sources[0].observe(on: queues[0]).map { $0 }.observe(on: queues[1])
    .named("crossing")
  let delayed = sources[1].delay(.microseconds(500), on: queues[2]).named("delayed")
  let combined = Signal.combineLatest(crossing, delayed).map { $0.with($1) }.named("combined")
  let zipped = Signal.zip(
    sources[0].observe(on: queues[3]), sources[2].observe(on: queues[4])
  ).map { $0.with($1) }.named("zipped")
  let merged = sources[2].flatMap(.merge) { outer in
    SignalProducer([outer, outer, outer]).start(on: queues[5]).observe(on: queues[6])
  }.named("merged")
  let latest = sources[3].flatMap(.latest) { outer in slowly(outer, on: queues[7]) }
    .named("latest")
  let sampled = sources[3].sample(with: sources[1]).map { $0.with($1) }.named("sampled")
  let paired = sources[1].withLatest(from: sources[2]).map { $0.with($1) }.named("paired")
  let collected = sources[2].collect(count: 3).map { values in
    values.reduce(Lineage([])) { $0.with($1) }
  }.named("collected")
  let previous = sources[1].combinePrevious().map { $0.with($1) }.named("previous")
  let all = Signal.merge([crossing, merged]).skip(first: 2).named("all")
  return [
    combined, zipped, merged, latest, sampled, paired, collected, previous, all,
    property(of: crossing),
  ]
}

/// A stream of one value that takes its time, and is mostly cancelled meanwhile.
private func slowly(_ value: Lineage, on queue: QueueScheduler) -> SignalProducer<Lineage, Never> {
  SignalProducer { observer, lifetime in
    lifetime += queue.schedule(after: .microseconds(200)) {
      observer.send(value: value)
      observer.sendCompleted()
    }
  }.named("slowly")
}

/// Through a property, whose changes are observed.
private func property(of signal: Signal<Lineage, Never>) -> Signal<Lineage, Never> {
  Property(initial: Lineage([]), then: signal).signal.named("property")
}

/// Each value comes back three times, through a pipe that delivers its own values' followers.
private func recursion(of source: Signal<Lineage, Never>) {
  let (loop, input) = Signal<Lineage, Never>.queuedPipe(named: "loop")
  loop.observeValues { value in
    if value.turns > 0 { input.send(value: Lineage(value.numbers, turns: value.turns - 1)) }
  }
  source.observeValues { input.send(value: Lineage($0.numbers, turns: 3)) }
  source.observeCompleted { input.sendCompleted() }
}
