import Testing
import VarveReactive
import VarveTestRig

@Suite struct ZipTests {
  @Test("S3: zip pairs the nth with the nth, however many wait on whichever side")
  func bursts() {
    let (left, leftInput) = Signal<Int, Never>.pipe()
    let (right, rightInput) = Signal<String, Never>.pipe()
    let pairs = Box<[String]>([])
    Signal.zip(left, right).observeValues { pairs.append("\($0)=\($1)") }
    var sent = (left: 0, right: 0)
    // Each burst is longer than what waits, so that the queues wrap around and grow at every place.
    for burst in 1..<40 {
      for _ in 0..<burst * 7 % 23 {
        leftInput.send(value: sent.left)
        sent.left += 1
      }
      for _ in 0..<burst * 11 % 29 {
        rightInput.send(value: "\(sent.right)")
        sent.right += 1
      }
      let expected = min(sent.left, sent.right)
      #expect(pairs.value.count == expected)
    }
    #expect(pairs.value == (0..<min(sent.left, sent.right)).map { "\($0)=\($0)" })
    #expect(sent.left != sent.right)
  }

  @Test("S5: what waits for a partner is released with the zip")
  func release() {
    final class Token: Sendable {}
    let (left, leftInput) = Signal<Token, Never>.pipe()
    let (right, rightInput) = Signal<Token, Never>.pipe()
    Signal.zip(left, right).observeValues { _ in }
    var tokens: [Token] = (0..<20).map { _ in Token() }
    let weakly = tokens.map { token in { [weak token] in token } }
    for token in tokens { leftInput.send(value: token) }
    for _ in 0..<3 { rightInput.send(value: Token()) }
    tokens = []
    #expect(weakly.map { $0() != nil } == (0..<20).map { $0 >= 3 })
    leftInput.sendInterrupted()
    #expect(weakly.allSatisfy { $0() == nil })
  }

  @Test("E4: zip completes when one input has completed and nothing of it waits")
  func completion() {
    let (left, leftInput) = Signal<Int, Never>.pipe()
    let (right, rightInput) = Signal<Int, Never>.pipe()
    let log = Box<[String]>([])
    Signal.zip(left, right).observe { event in
      log.append(event.map { "\($0.0)\($0.1)" }.description)
    }
    leftInput.send(value: 1)
    leftInput.send(value: 2)
    leftInput.sendCompleted()
    rightInput.send(value: 1)
    #expect(log.value == ["VALUE 11"])
    rightInput.send(value: 2)
    #expect(log.value == ["VALUE 11", "VALUE 22", "COMPLETED"])
  }
}
