import Testing
import VarveReactive
import VarveTestRig

@Suite struct RecursionTests {
  @Test(
    "E7: a value sent in its own signal's delivery stops the program, and the message names all")
  func direct() throws {
    let child = try ChildProgram.run("direct")
    let told = try #require(child.report)
    #expect(!child.cameToTheEnd)
    #expect(told.summary == "Varve: a value was sent on 'numbers' from inside its own delivery")
    #expect(told.way == ["numbers"])
    #expect(told.began?.hasSuffix(child.mark("outer")) == true)
    #expect(told.cameBack?.hasSuffix(child.mark("inner")) == true)
  }

  @Test("E7: a value that comes back through other streams stops the program, which names them")
  func through() throws {
    let child = try ChildProgram.run("through")
    let told = try #require(child.report)
    #expect(told.summary == "Varve: a value was sent on 'numbers' from inside its own delivery")
    #expect(
      told.way == [
        "numbers", "numbers.map(_:)", "numbers.map(_:).filter(_:)",
        "merge(numbers.map(_:).filter(_:), others)", "both", "both.skipRepeats()",
      ])
    #expect(told.began?.hasSuffix(child.mark("outer")) == true)
    #expect(told.cameBack?.hasSuffix(child.mark("inner")) == true)
  }

  @Test("E7: of several branches the message names the one that sent")
  func branch() throws {
    let told = try #require(try ChildProgram.run("second branch").report)
    #expect(told.way == ["numbers", "numbers.map(_:)", "second"])
  }

  @Test("E7: the same holds for the input of a started producer")
  func producer() throws {
    let child = try ChildProgram.run("handler")
    let told = try #require(child.report)
    #expect(told.summary.contains("'producer@Plays.swift:"))
    #expect(told.way.dropFirst() == ["work", "work.map(_:)"])
    #expect(!child.cameToTheEnd)
  }

  @Test("E7: a terminal event may be sent recursively and takes effect after the current one")
  func terminal() {
    let (output, input) = Signal<Int, Never>.pipe()
    let log = Box<[String]>([])
    output.observe { event in
      if case .value = event {
        input.sendCompleted()
        log.append("sent")
      }
      log.append("first \(event)")
    }
    output.observe { log.append("second \($0)") }
    input.send(value: 1)
    #expect(
      log.value == [
        "sent", "first VALUE 1", "second VALUE 1", "first COMPLETED", "second COMPLETED",
      ])
  }

  @Test("E7: a value sent after a recursive end is not delivered")
  func valueAfterRecursiveEnd() {
    let (output, input) = Signal<Int, Never>.queuedPipe()
    let log = Box<[Event<Int, Never>]>([])
    output.observe { event in
      log.append(event)
      guard event.value == 1 else { return }
      input.sendCompleted()
      input.send(value: 2)
    }
    input.send(value: 1)
    #expect(log.value == [.value(1), .completed])
  }

  @Test("E7: a queued pipe delivers recursive values afterwards, first in first out")
  func queued() {
    let (output, input) = Signal<Int, Never>.queuedPipe(named: "queue")
    let log = Box<[String]>([])
    output.observeValues { value in
      log.append("first \(value)")
      guard value == 1 else { return }
      input.send(value: 2)
      input.send(value: 3)
      log.append("sent")
    }
    output.observeValues { log.append("second \($0)") }
    input.send(value: 1)
    #expect(
      log.value == [
        "first 1", "sent", "second 1", "first 2", "second 2", "first 3", "second 3",
      ])
    #expect(output.description == "queue")
  }

  @Test("E7: a queued pipe needs no stack for a million recursive values")
  func longQueue() {
    let (output, input) = Signal<Int, Never>.queuedPipe()
    let last = Box(0)
    output.observeValues { value in
      last.set(value)
      if value > 0 { input.send(value: value - 1) }
    }
    input.send(value: 1_000_000)
    #expect(last.value == 0)
  }

  @Test("E7: a queued pipe's values from other threads wait their turn and lose nothing")
  func queuedThreads() {
    let (output, input) = Signal<Int, Never>.queuedPipe()
    let sum = Box(0)
    output.observeValues { value in
      sum.change { $0 += value }
      if value == 1 { input.send(value: 10) }
    }
    onThreads(4) { _ in for _ in 0..<500 { input.send(value: 1) } }
    #expect(sum.value == 4 * 500 * 11)
  }

  @Test("E7: a signal whose generator may send recursively queues")
  func queuedSignal() {
    let log = Box<[Int]>([])
    let inputs = Box<Signal<Int, Never>.Observer?>(nil)
    let signal = Signal<Int, Never>.queued { input, _ in inputs.set(input) }
    signal.observeValues { if $0 == 3 { inputs.value?.send(value: 4) } }
    signal.observeValues { log.append($0) }
    inputs.value?.send(value: 3)
    #expect(log.value == [3, 4])
  }

  @Test("E7: the unserialized forms deliver a recursive value inside the delivery in progress")
  func unserialized() {
    let pipe = Signal<Int, Never>.unserializedPipe()
    let log = Box<[String]>([])
    pipe.output.observeValues { value in
      if value == 1 { pipe.input.send(value: 2) }
      log.append("first \(value)")
    }
    pipe.output.observeValues { log.append("second \($0)") }
    pipe.input.send(value: 1)
    #expect(log.value == ["first 2", "second 2", "first 1", "second 1"])
  }

  @Test("E7: a fold that sends into itself, unserialized, goes on from what it has sent")
  func unserializedFold() {
    let pipe = Signal<String, Never>.unserializedPipe()
    let log = Box<[[String]]>([])
    pipe.output.scan([]) { $0 + [$1] }.observeValues { values in
      log.append(values)
      if values.count < 3 { pipe.input.send(value: "\(values.count)") }
    }
    pipe.input.send(value: "0")
    pipe.input.send(value: "last")
    #expect(log.value == [["0"], ["0", "1"], ["0", "1", "2"], ["0", "1", "2", "last"]])
  }

  @Test("E7: unserialized signals and producers take values from their own deliveries")
  func unserializedSources() {
    let inputs = Box<[Signal<Int, Never>.Observer]>([])
    let log = Box<[Int]>([])
    let signal = Signal<Int, Never>.unserialized { input, _ in inputs.append(input) }
    signal.observeValues { value in
      log.append(value)
      if value == 1 { inputs.value[0].send(value: 2) }
    }
    inputs.value[0].send(value: 1)
    #expect(log.value == [1, 2])

    let producer = SignalProducer<Int, Never>.unserialized { input, _ in
      inputs.append(input)
      input.send(value: 3)
    }
    producer.startWithValues { value in
      log.append(value)
      if value == 3 { inputs.value[1].send(value: 4) }
    }
    #expect(log.value == [1, 2, 3, 4])
  }

  @Test("E7: nothing is delivered in an unserialized signal once its end was sent")
  func unserializedEnd() {
    let pipe = Signal<Int, Never>.unserializedPipe()
    let log = Box<[Event<Int, Never>]>([])
    pipe.output.observe { event in
      log.append(event)
      guard event.value == 1 else { return }
      pipe.input.sendCompleted()
      pipe.input.send(value: 2)
    }
    pipe.input.send(value: 1)
    #expect(log.value == [.value(1), .completed])
  }
}
