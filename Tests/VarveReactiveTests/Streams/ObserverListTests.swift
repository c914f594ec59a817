import Testing
import VarveReactive
import VarveTestRig

/// Signals with more observers than move up at once when one leaves.
@Suite struct ObserverListTests {
  enum Leaving: CaseIterable { case oldestFirst, newestFirst, inAnyOrder }

  private static let crowd = 10_000

  @Test(
    "S7: who leaves a crowd makes few others move, whoever leaves first",
    arguments: Leaving.allCases)
  func stepsOfLeaving(_ leaving: Leaving) {
    let (output, input) = Signal<Int, Never>.pipe()
    let sum = Box(0)
    let observations = (0..<Self.crowd).map { _ in
      output.observeValues { value in sum.change { $0 += value } }
    }
    for index in order(leaving, Self.crowd) { observations[index]?.dispose() }
    // Eight for each, and 128 for each of the last 128. To move up all behind the one who leaves takes
    // some 50,000,000 when the oldest leave first, and half as many in any order.
    #expect(output.stepsOfLeaving <= 8 * Self.crowd + 128 * 128)
    input.send(value: 1)
    #expect(sum.value == 0)
  }

  @Test(
    "S3, S7: those who stay hear everything in the order in which they came, whoever leaves",
    arguments: Leaving.allCases, [50, 128, 129, 1_000])
  func order(_ leaving: Leaving, of size: Int) {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[Int]>([])
    var here = (0..<size).map { number in (number, output.observeValues { _ in log.append(number) })
    }
    var next = size
    for (turn, index) in order(leaving, size).enumerated() {
      let leaver = here.firstIndex { $0.0 == index }.map { here.remove(at: $0) }
      leaver?.1?.dispose()
      if turn % 5 == 0 {
        let number = next
        here.append((number, output.observeValues { _ in log.append(number) }))
        next += 1
      }
      guard turn % 37 == 0 || here.count < 5 else { continue }
      log.set([])
      input.send(value: turn)
      #expect(log.value == here.map(\.0))
    }
    let ends = Box<[Int]>([])
    for number in 0..<3 { output.observeCompleted { ends.append(number) } }
    input.sendCompleted()
    #expect(ends.value == [0, 1, 2])
    for (_, observation) in here { observation?.dispose() }
  }

  @Test("S7: what an observer holds who leaves a crowd is released at once")
  func release() {
    final class Token: Sendable {}
    let (output, input) = Signal<Int, Never>.pipe()
    for _ in 0..<1_000 { output.observeValues { _ in } }
    weak var token: Token?
    let observation = {
      let held = Token()
      token = held
      return output.observeValues { _ in withExtendedLifetime(held) {} }
    }()
    for _ in 0..<1_000 { output.observeValues { _ in } }
    #expect(token != nil)
    observation?.dispose()
    #expect(token == nil)
    withExtendedLifetime(input) {}
  }

  private func order(_ leaving: Leaving, _ count: Int) -> [Int] {
    switch leaving {
    case .oldestFirst: return Array(0..<count)
    case .newestFirst: return (0..<count).reversed()
    case .inAnyOrder:
      var state: UInt64 = 42
      return (0..<count).map { index in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33, index)
      }.sorted { $0 < $1 }.map(\.1)
    }
  }
}
