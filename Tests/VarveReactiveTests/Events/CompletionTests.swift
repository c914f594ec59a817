import Testing
import VarveReactive
import VarveTestRig

@Suite struct CompletionTests {
  private let first = Signal<Int, Never>.pipe()
  private let second = Signal<Int, Never>.pipe()

  /// Notes the end of a stream.
  private func end<Value>(of signal: Signal<Value, Never>) -> Box<[String]> {
    let log = Box<[String]>([])
    signal.observe { if $0.isTerminating { log.append($0.description) } }
    return log
  }

  @Test("E4: completion ends a stream successfully")
  func completion() {
    let ended = end(of: first.output.map { $0 })
    first.input.sendCompleted()
    #expect(ended.value == ["COMPLETED"])
  }

  @Test("E4: merge completes when all inputs have")
  func merge() {
    let ended = end(of: Signal.merge(first.output, second.output))
    first.input.sendCompleted()
    #expect(ended.value == [])
    second.input.sendCompleted()
    #expect(ended.value == ["COMPLETED"])
  }

  @Test("E4: combineLatest completes when all inputs have")
  func combineLatest() {
    let ended = end(of: Signal.combineLatest(first.output, second.output))
    first.input.send(value: 1)
    first.input.sendCompleted()
    second.input.send(value: 1)
    #expect(ended.value == [])
    second.input.sendCompleted()
    #expect(ended.value == ["COMPLETED"])
  }

  @Test("E4: zip completes when one input has completed and nothing of it waits")
  func zip() {
    let ended = end(of: Signal.zip(first.output, second.output))
    first.input.send(value: 1)
    first.input.send(value: 2)
    first.input.sendCompleted()
    second.input.send(value: 1)
    #expect(ended.value == [])
    second.input.send(value: 2)
    #expect(ended.value == ["COMPLETED"])
  }

  @Test("E4: zip completes at once when an input of which nothing waits completes")
  func emptyZip() {
    let ended = end(of: Signal.zip(first.output, second.output))
    first.input.send(value: 1)
    second.input.sendCompleted()
    #expect(ended.value == ["COMPLETED"])
  }

  @Test("E4: flatten completes when the outer and all inner streams have")
  func flatten() {
    let (outer, input) = Signal<Signal<Int, Never>, Never>.pipe()
    let ended = end(of: outer.flatten(.merge))
    input.send(value: first.output)
    input.send(value: second.output)
    first.input.sendCompleted()
    input.sendCompleted()
    #expect(ended.value == [])
    second.input.sendCompleted()
    #expect(ended.value == ["COMPLETED"])
  }

  @Test("E4: flatten completes with the outer stream when no inner one runs")
  func flattenOuterLast() {
    let (outer, input) = Signal<Signal<Int, Never>, Never>.pipe()
    let ended = end(of: outer.flatten(.concat))
    input.send(value: first.output)
    first.input.sendCompleted()
    #expect(ended.value == [])
    input.sendCompleted()
    #expect(ended.value == ["COMPLETED"])
  }

  @Test("E4: take(until:) completes when its trigger sends or completes")
  func takeUntil() {
    let trigger = Signal<Void, Never>.pipe()
    let sent = end(of: first.output.take(until: trigger.output))
    trigger.input.send(value: ())
    #expect(sent.value == ["COMPLETED"])

    let other = Signal<Void, Never>.pipe()
    let completed = end(of: second.output.take(until: other.output))
    other.input.sendCompleted()
    #expect(completed.value == ["COMPLETED"])
  }
}
