import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Work that runs at the end")
struct RunningWorkTests {
  private let folder = TemporaryFolder()

  @Test("is the same whether or not what began and ended in one block is looked at")
  func same() throws {
    var running = 0
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededNumbers(seed: seed)
      var script = TraceScript()
      let queue = script.scheduler("queue")
      let rings = [1, script.thread("worker", ring: 2)]
      // Work within work; some of it ends with what it began in, and some ends were never begun.
      var open: [UInt32: [UInt64]] = [:]
      for hop in 1...120 as ClosedRange<UInt64> {
        let ring = rings.randomElement(using: &random)!
        let time = Double(hop)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: script.record(.hopScheduled, of: queue, at: time, ring: ring, subscription: hop)
        case 1 where seed % 4 == 0 && open[ring]?.isEmpty == false:
          // As no program does: work begins within itself.
          guard seed == 0, let hop = open[ring]?.randomElement(using: &random) else { continue }
          script.record(.hopBegan, of: queue, at: time, ring: ring, subscription: hop)
        case 1, 2:
          script.record(.hopBegan, of: queue, at: time, ring: ring, subscription: hop)
          open[ring, default: []].append(hop)
        case 3:
          guard let ended = open[ring]?.randomElement(using: &random) else { continue }
          script.record(.hopEnded, of: queue, at: time, ring: ring, subscription: ended)
        default:
          script.record(.hopEnded, of: queue, at: time, ring: ring, subscription: 1_000 + hop)
        }
      }
      let path = folder.file("running \(seed).varve")
      try script.write(to: path, blockEvents: seed == 0 ? 1_000 : 1 + Int(seed % 13))
      let reader = try TraceReader(path: path)
      let whole = HopStates(atEndOf: reader)
      let brief = HopStates(runningAtEndOf: reader)
      let expected = whole.running.filter { !$0.value.isEmpty }
      #expect(brief.running.filter { !$0.value.isEmpty } == expected)
      // With a history, few blocks are read. Work that began within itself has ended once only.
      if seed > 0 {
        let few = HopStates(runningAtEndOf: reader, history: try TraceHistory(reader))
        #expect(few.running.filter { !$0.value.isEmpty } == expected, "\(seed)")
        #expect(few.last.mapValues(\.event) == whole.last.mapValues(\.event))
      }
      #expect(brief.last.mapValues(\.event) == whole.last.mapValues(\.event))
      running += whole.running.values.reduce(0) { $0 + $1.count }
    }
    #expect(running > 40)
  }
}
