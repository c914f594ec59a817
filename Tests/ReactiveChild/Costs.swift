import VarveProbe
import VarveReactive

// What an event costs. In a debug build `callgrind` counts the functions below by their names; an
// optimised one may make one function of them all, and is counted as a whole.

/// A signal with so many stages behind it.
final class CostChain {
  private let input: Signal<Int, Never>.Observer
  private let end: Signal<Int, Never>

  init(stages: Int) {
    let (source, input) = Signal<Int, Never>.pipe()
    self.input = input
    end = (0..<stages).reduce(source) { signal, _ in signal.map { $0 &+ 1 } }
    end.observeValues { value in
      if value < 0 { print(value) }
    }
  }

  func send(_ count: Int) {
    for number in 0..<count { input.send(value: number) }
  }
}

/// Wants to hear everything, and keeps nothing.
private final class DeafReceiver: ProbeReceiver {
  func define(_ stream: StreamDefinition) {}
  func define(_ scheduler: SchedulerDefinition) {}
}

private let events = 300

@inline(never) private func beforeFlat(_ chain: CostChain) { chain.send(events) }
@inline(never) private func beforeDeep(_ chain: CostChain) { chain.send(events) }
@inline(never) private func duringFlat(_ chain: CostChain) { chain.send(events) }
@inline(never) private func duringDeep(_ chain: CostChain) { chain.send(events) }
@inline(never) private func afterFlat(_ chain: CostChain) { chain.send(events) }
@inline(never) private func afterDeep(_ chain: CostChain) { chain.send(events) }

/// Sends the same before, while and after the gate is open.
@Sendable func costs() {
  let flat = CostChain(stages: 0)
  let deep = CostChain(stages: 8)
  func warmUp() {
    flat.send(10)
    deep.send(10)
  }
  warmUp()
  beforeFlat(flat)
  beforeDeep(deep)
  Probe.open(session: 1, wish: .allStreams, receiver: DeafReceiver()) { _, _, _ in false }
  warmUp()
  duringFlat(flat)
  duringDeep(deep)
  Probe.close()
  warmUp()
  afterFlat(flat)
  afterDeep(deep)
}

/// Sends so many events through so many stages, `unrecorded 8 1000`, or changes an observed property
/// so many times, `unrecorded property 1000`. Nothing records.
@Sendable func unrecorded() {
  let arguments = CommandLine.arguments.suffix(2)
  guard let kind = arguments.first, let count = arguments.last.flatMap({ Int($0) }) else { return }
  if let stages = Int(kind) { return CostChain(stages: stages).send(count) }
  let property = MutableProperty(0)
  property.signal.observeValues { value in
    if value < 0 { print(value) }
  }
  for number in 0..<count { property.value = number }
}
