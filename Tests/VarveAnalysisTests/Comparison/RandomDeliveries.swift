import VarveProbe
import VarveTraceScript

/// Deliveries of a few names by several streams on several threads, made up from a seed.
struct RandomDeliveries {
  private struct Delivery {
    var name: Int
    var stream: Int
    var thread: UInt32
    var pause: UInt64
    var kind: RecordKind
    var payload: ScriptedPayload
  }

  private var deliveries: [Delivery] = []
  private let names: Int
  private let slant: Int

  /// Makes some deliveries up.
  init(using random: inout some RandomNumberGenerator) {
    names = .random(in: 1...5, using: &random)
    slant = .random(in: 1...3, using: &random)
    for _ in 0..<Int.random(in: 0...700, using: &random) {
      deliveries.append(delivery(using: &random))
    }
  }

  private func delivery(using random: inout some RandomNumberGenerator) -> Delivery {
    let kinds: [RecordKind] = [.value, .value, .value, .failed, .completed, .interrupted, .mark]
    // One name has more than the others.
    let name = Int.random(in: 0..<names * slant, using: &random)
    return Delivery(
      name: name < names ? name : 0, stream: .random(in: 0...1, using: &random),
      thread: .random(in: 1...3, using: &random), pause: .random(in: 0...2, using: &random),
      kind: kinds.randomElement(using: &random) ?? .value, payload: payload(using: &random))
  }

  private func payload(using random: inout some RandomNumberGenerator) -> ScriptedPayload {
    let number = Int.random(in: 0...3, using: &random)
    let text = String(repeating: "x", count: 6 + number)
    let payloads: [ScriptedPayload] = [
      .unit, .integer(Int64(number)), .unsigned(UInt64(number)), .string(text),
      .description(text), .string(text, originally: 20),
    ]
    return payloads.randomElement(using: &random) ?? .unit
  }

  /// Changes a few of them; or none.
  mutating func change(using random: inout some RandomNumberGenerator) {
    for _ in 0..<Int.random(in: 0...3, using: &random) where !deliveries.isEmpty {
      let place = Int.random(in: 0..<deliveries.count, using: &random)
      switch Int.random(in: 0...5, using: &random) {
      case 0: deliveries[place].payload = payload(using: &random)
      case 1: deliveries[place].name = .random(in: 0...names, using: &random)
      case 2: deliveries[place].kind = .failed
      case 3: deliveries.remove(at: place)
      case 4: deliveries.insert(delivery(using: &random), at: place)
      default: deliveries.removeSubrange(place...)
      }
    }
  }

  /// The trace of them. The last name is of streams that it does not define.
  var script: TraceScript {
    var script = TraceScript()
    let streams = (0..<max(names - 1, 1)).map { name in
      (script.stream("name \(name)"), script.stream("name \(name)"))
    }
    for ring in 2...3 as ClosedRange<UInt32> { _ = script.thread("other", ring: ring) }
    var ticks = TraceScript.start
    for delivery in deliveries {
      ticks += delivery.pause
      let pair = delivery.name < streams.count ? streams[delivery.name] : (90, 90)
      script.record(
        delivery.kind, of: delivery.stream == 0 ? pair.0 : pair.1, delivery.payload, ticks: ticks,
        ring: delivery.thread)
    }
    return script
  }
}

/// Numbers that look random and are the same each time.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var number = state
    number = (number ^ number >> 30) &* 0xbf58_476d_1ce4_e5b9
    number = (number ^ number >> 27) &* 0x94d0_49bb_1331_11eb
    return number ^ number >> 31
  }
}
