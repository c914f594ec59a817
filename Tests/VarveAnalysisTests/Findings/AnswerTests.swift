import Testing
import VarveFormat
import VarveProbe

@testable import VarveAnalysis

@Suite("What answers take from the findings of the whole trace")
struct AnswerTests {
  private func finding(
    _ kind: Finding.Kind, of stream: UInt32, weight: Int = 80, evidence: [EventName] = []
  ) -> Finding {
    Finding(
      kind, weight: weight, place: .stream(stream), "it is so", stream: stream, evidence: evidence)
  }

  @Test("G1: the surest finding about a stream that was asked for, and none that is a hint")
  func streams() {
    let all = [
      finding(.stale, of: 1), finding(.join, of: 2), finding(.glitch, of: 3, weight: 40),
      finding(.early, of: 4),
    ]
    #expect(all.about { $0 == 2 }?.kind == .join)
    #expect(all.about { $0 > 2 } == nil)
    #expect(all.about { _ in true }?.kind == .stale)
    #expect(all.about({ _ in false }) == nil)
  }

  @Test("G1: a finding that one of the events proves concerns them, too")
  func events() {
    let event = EventName(ring: 1, sequence: 7)
    let all = [finding(.stale, of: 1), finding(.restarted, of: 2, evidence: [event])]
    #expect(all.about({ _ in false }, events: [event])?.kind == .restarted)
  }

  @Test("G1: what grows, what waits, and what comes on another thread have findings of their kinds")
  func kinds() {
    let all = [
      finding(.stale, of: 1), finding(.thread, of: 2), finding(.backlog, of: 5),
      finding(.leak, of: 4), finding(.join, of: 3),
    ]
    #expect(all.aboutGrowth?.stream == 4)
    #expect(all.aboutDelay?.stream == 3)
    #expect(all.aboutThreads { $0 == 2 }?.stream == 2)
    #expect(all.aboutThreads { $0 == 1 } == nil)
  }
}
