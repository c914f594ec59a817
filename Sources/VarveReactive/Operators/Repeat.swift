extension Junction {
  fileprivate static func restarting(
    _ operation: Operation, _ producer: SignalProducer<Output, OutputFailure>,
    decide: @escaping (Root<Output, OutputFailure>) -> (Termination<OutputFailure>) -> Bool
  ) -> Junction {
    Junction(operation, inputs: [producer]) { root, disposables in
      Restarting(
        producer, into: root, disposables, deliver: { root.send($0, from: $1) },
        decide: decide(root)
      ).start()
    }
  }
}

extension SignalProducer {
  /// Starts again whenever a run completes, `count` runs in total.
  ///
  ///     self      --1--2|
  ///     repeat(2) --1--2--1--2|
  ///
  /// - *Events*: completes after the last run; 0 runs complete at once. Failure and interruption are
  ///   forwarded.
  /// - *Memory*: none; constant stack, however many runs complete at once.
  /// - *Scheduling*: each further run starts on the thread that completed its predecessor.
  public func `repeat`(_ count: Int) -> SignalProducer {
    precondition(count >= 0, "a number of runs cannot be negative")
    let operation = Operation("repeat($)", [.count(count)], traits: .restarts)
    guard count > 0 else { return .empty }
    return SignalProducer(
      .restarting(operation, self) { root in
        var remaining = count
        return { termination in
          if case .completed = termination, remaining > 1 {
            remaining -= 1
            return true
          }
          root.send(termination)
          return false
        }
      })
  }

  /// Starts again whenever a run completes, indefinitely. See `repeat(_:)`.
  public func repeatForever() -> SignalProducer {
    SignalProducer(
      .restarting(Operation("repeatForever()", traits: .restarts), self) { root in
        { termination in
          if case .completed = termination { return true }
          root.send(termination)
          return false
        }
      })
  }

  /// Starts again whenever a run fails, at most `count` times.
  ///
  ///     1st run       --1--#
  ///     2nd run            --1--2|
  ///     retry(upTo: 1) --1----1--2|
  ///
  /// - *Events*: the failure of the last run is forwarded, as are completion and interruption.
  /// - *Memory*: none; constant stack, however many runs fail at once.
  /// - *Scheduling*: each further run starts on the thread on which its predecessor failed.
  public func retry(upTo count: Int) -> SignalProducer {
    precondition(count >= 0, "a number of runs cannot be negative")
    let operation = Operation(
      "retry(upTo: $)", [.count(count)], traits: [.handlesFailure, .restarts])
    return SignalProducer(
      .restarting(operation, self) { root in
        var remaining = count
        return { termination in
          if case .failed = termination, remaining > 0 {
            remaining -= 1
            return true
          }
          root.send(termination)
          return false
        }
      })
  }

  /// Starts again whenever a run fails, indefinitely. See `retry(upTo:)`.
  public func retry() -> SignalProducer {
    SignalProducer(
      .restarting(
        Operation("retry()", traits: [.handlesFailure, .restarts]), self
      ) { root in
        { termination in
          if case .failed = termination { return true }
          root.send(termination)
          return false
        }
      })
  }
}
