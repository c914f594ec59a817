import CVarveSystem
import Testing
import VarveTestRig

/// Stacks that are kept under a number.
@Suite struct StackTests {
  private static let most = Int(VV_STACK_FRAMES)

  @inline(never)
  private func capture(_ depth: Int) -> UInt32 {
    let id = depth == 0 ? vv_stack_capture() : capture(depth - 1)
    return withExtendedLifetime(depth) { id }
  }

  private func addresses(_ id: UInt32) -> [UInt] {
    guard let stack = vv_stack_find(id) else { return [] }
    return withUnsafeBytes(of: stack.pointee.addresses) {
      Array($0.bindMemory(to: UInt.self).prefix(Int(stack.pointee.count)))
    }
  }

  @Test("B1: equal stacks are kept once, different ones under numbers of their own")
  func interning() throws {
    let ids = onFreshThread { (0..<100).map { _ in self.capture(3) } } ?? []
    #expect(Set(ids).count == 1)
    #expect(ids.first != 0)
    let deeper = onFreshThread { (0..<20).map { self.capture($0) } } ?? []
    #expect(Set(deeper).count == 20)
    // Each frame more is the same return address once more.
    let counts = deeper.map { addresses($0).count }
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $1 == $0 + 1 || $1 == Self.most })
  }

  @Test("B1: a stack is what the walk finds, cut at 64 frames")
  func walk() throws {
    @inline(never) @Sendable func both() -> ([UInt], UInt32) {
      var walked = [UInt](repeating: 0, count: 128)
      let count = Int(vv_stack_walk(&walked, nil, 128))
      return (Array(walked.prefix(count)), vv_stack_capture())
    }
    let (walked, id) = try #require(onFreshThread { both() })
    let kept = addresses(id)
    // The two calls return to different places in the innermost frame.
    #expect(Array(kept.dropFirst()) == Array(walked.dropFirst().prefix(Self.most - 1)))
    let deep = try #require(onFreshThread { self.capture(100) })
    #expect(addresses(deep).count == Self.most)
  }

  @Test("B1: threads that keep the same stacks at once get the same numbers")
  func racing() {
    let found = Box<[[UInt32]]>([])
    onThreads(4) { _ in
      let ids = (0..<2_000).map { self.capture($0 % 25) }
      found.append(ids)
    }
    let first = found.value[0]
    #expect(found.value.allSatisfy { Set($0).count == 25 })
    for ids in found.value {
      #expect(zip(ids, first).allSatisfy { addresses($0) == addresses($1) })
    }
  }

  @Test("numbers that nobody gave have no stack")
  func strangers() {
    #expect(vv_stack_find(0) == nil)
    #expect(vv_stack_find(.max) == nil)
    #expect(vv_stack_kept() <= UInt32(VV_STACKS))
  }
}
