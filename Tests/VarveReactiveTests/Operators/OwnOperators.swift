import VarveReactive

// Operators as users write them: from what is public, once, for signals and for producers.

extension StreamOperator {
  /// Every second value, beginning with the first.
  static func everyOther() -> StreamOperator
  where Output == Input, OutputFailure == InputFailure {
    StreamOperator("everyOther()", absorbing: .pastLimit) { output, _ in
      var isOdd = false
      return { event in
        guard case .value = event else { return output.send(event) }
        isOdd.toggle()
        if isOdd { output.send(event) }
      }
    }
  }

  /// The values in groups, the last of which may be smaller.
  static func chunks(of size: Int) -> StreamOperator
  where Output == [Input], OutputFailure == InputFailure {
    StreamOperator("chunks(of:)", .count(size), traits: .holds) { output, _ in
      var chunk: [Held<Input>] = []
      func send() {
        output.send(value: chunk.map { $0.recall() })
        chunk = []
      }
      func drop() {
        for held in chunk { output.swallow(held, .ended) }
        chunk = []
      }
      return { event in
        switch event {
        case .value(let value):
          chunk.append(Held(value))
          if chunk.count == size { send() }
        case .completed:
          if !chunk.isEmpty { send() }
          output.sendCompleted()
        case .failed(let failure):
          drop()
          output.send(error: failure)
        case .interrupted:
          drop()
          output.sendInterrupted()
        }
      }
    }
  }

  /// Each event on a scheduler, however it fares there.
  static func scattered(on scheduler: any Scheduler) -> StreamOperator
  where Input: Sendable, Output == Input, OutputFailure == InputFailure {
    StreamOperator("scattered(on:)", .scheduler(scheduler)) { output, lifetime in
      { event in
        lifetime += scheduler.schedule { output.send(event) }
      }
    }
  }
}

extension Signal {
  func everyOther() -> Signal { applying(.everyOther()) }
  func chunks(of size: Int) -> Signal<[Value], Failure> { applying(.chunks(of: size)) }
}

extension SignalProducer {
  func everyOther() -> SignalProducer { applying(.everyOther()) }
  func chunks(of size: Int) -> SignalProducer<[Value], Failure> { applying(.chunks(of: size)) }
}

extension Signal where Value == Int {
  /// A composite of the library's operators.
  func steps(above floor: Int) -> Signal {
    composed(as: "steps(above:)", .count(floor)) {
      $0.filter { $0 > floor }.skipRepeats()
    }
  }
}

extension SignalProducer where Value == Int {
  func steps(above floor: Int) -> SignalProducer {
    composed(as: "steps(above:)", .count(floor)) {
      $0.filter { $0 > floor }.skipRepeats()
    }
  }
}
