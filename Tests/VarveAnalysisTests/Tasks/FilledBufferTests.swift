import Testing
import VarveAnalysis
import VarveFormat
import VarveProbe
import VarveTraceScript

@Suite("Findings about buffers of asynchronous streams")
struct FilledBufferTests {
  /// What happens to a consumer after it has waited for the first element.
  enum Fate {
    /// It goes on and on with other waits, each so many elements.
    case slow(each: Int)
    /// It waits for each element.
    case quick
    /// It pauses, and then takes all at once; whether it waits for more, or ends.
    case pausing(ends: Bool)
    /// It ends; whether the stream then refuses elements.
    case ended(refusing: Bool = false)
    /// There never was one.
    case none
  }

  /// The findings about `count` elements that come every `gap` milliseconds.
  private func findings(
    _ count: Int, every gap: Double, _ fate: Fate, absorbs: AbsorptionReason? = nil,
    inOneGo: Bool = false
  ) throws -> [Finding] {
    var script = TaskScript()
    var traits: StreamTraits = [.hot, .holds]
    if absorbs != nil { traits.insert(.swallows) }
    let levels = script.script.stream(
      "levels", "AsyncStream", traits: traits, absorbs: absorbs)
    var isQuick = false
    if case .quick = fate { isQuick = true }
    script.create(1, at: 0)
    script.begin(1, at: 0.1, ring: 2)
    script.end(1, .continuation, at: 0.2)
    for number in 0..<count {
      let isLate = inOneGo && number == count - 1
      let time = 1 + (inOneGo && !isLate ? Double(number) * 0.01 : Double(number) * gap)
      let value = script.script.value(levels, "level", at: time)
      if case .none = fate { continue }
      switch (number, fate) {
      case (0, _), (_, .quick):
        script.schedule(1, at: time + 0.001, by: value)
        script.begin(1, at: time + 0.002, ring: 2)
        if case .ended = fate {
          script.end(1, .nothing, at: time + 0.003)
        } else {
          script.end(1, .continuation, at: time + 0.003, stack: isQuick ? 8 : 7)
        }
      case (_, .ended(refusing: true)):
        script.script.record(
          .absorbed, of: levels, .reason(AbsorptionReason.ended.rawValue), at: time, causes: [value]
        )
      case (_, .slow(let each)) where number % each == 0:
        script.schedule(1, at: time + 0.001, ring: 3)
        script.begin(1, at: time + 0.002, ring: 2)
        script.end(1, .continuation, at: time + 0.003, stack: 7)
      default: break
      }
    }
    if case .pausing(let ends) = fate {
      let time = 2 + Double(count) * gap
      script.schedule(1, at: time, ring: 3)
      script.begin(1, at: time + 0.001, ring: 2)
      script.end(1, ends ? .nothing : .continuation, at: time + 0.002)
    }
    return try script.findings().filter { $0.kind == .backlog }
  }

  @Test(
    "K8: a consumer that is slower than the elements come, so that a buffer without a limit fills, is found"
  )
  func slow() throws {
    let found = try findings(200, every: 10, .slow(each: 10))
    #expect(found.count == 1 && found.first?.place == .stream(1), "\(found)")
    #expect(found.first?.stream == 1)
    #expect(try findings(200, every: 10, .ended()).count == 1)
  }

  @Test(
    "K8: a consumer that keeps up, a list of jobs, a limit and a stream that is kept for later are no findings"
  )
  func healthy() throws {
    #expect(try findings(200, every: 10, .quick).isEmpty)
    #expect(try findings(200, every: 10, .slow(each: 2)).isEmpty)
    #expect(try findings(200, every: 10, .slow(each: 10), absorbs: .superseded).isEmpty)
    #expect(try findings(200, every: 10, .slow(each: 10), inOneGo: true).isEmpty)
    #expect(try findings(200, every: 10, .none).isEmpty)
    #expect(try findings(200, every: 10, .ended(refusing: true)).isEmpty)
    #expect(try findings(200, every: 10, .pausing(ends: false)).isEmpty)
    #expect(try findings(200, every: 10, .pausing(ends: true)).isEmpty)
    #expect(try findings(20, every: 100, .slow(each: 10)).isEmpty)
    #expect(try findings(200, every: 2, .slow(each: 10)).isEmpty)
  }
}
