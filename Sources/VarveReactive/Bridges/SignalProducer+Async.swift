internal import VarveProbe

extension SignalProducer where Value: Sendable {
  /// Creates a producer that runs `action` in a new task at each start, sends the result and
  /// completes, or fails with the error thrown.
  ///
  ///     let profile = SignalProducer<Profile, any Error> {
  ///       try await session.profile(of: user)
  ///     }
  ///
  /// Disposing of the start cancels the task. A task that throws `CancellationError` interrupts the
  /// start.
  @preconcurrency
  @_disfavoredOverload
  public init(
    priority: TaskPriority? = nil, file: String = #fileID, line: UInt = #line,
    _ action: @escaping @Sendable () async throws(Failure) -> Value
  ) {
    self.init(task: "task", priority, Place(file: file, line: line)) {
      input throws(Failure) in input.send(value: try await action())
    }
  }

  /// Creates a producer that iterates an asynchronous sequence in a new task at each start, sends
  /// its elements and completes, or fails with the error thrown.
  ///
  /// Nothing is buffered: the next element is requested when the observers of the previous one have
  /// run. Disposing of the start cancels the task.
  @_disfavoredOverload
  public init<Elements: AsyncSequence & Sendable>(
    _ elements: Elements, priority: TaskPriority? = nil, file: String = #fileID,
    line: UInt = #line
  ) where Elements.Element == Value, Elements.Failure == Failure {
    self.init(task: "asyncValues", priority, Place(file: file, line: line)) {
      input throws(Failure) in
      var iterator = elements.makeAsyncIterator()
      while !Task.isCancelled, let element = try await iterator.next(isolation: nil) {
        input.send(value: element)
      }
    }
  }

  /// Creates a producer that runs `work` in a task at each start; the start completes when `work`
  /// returns.
  private init(
    task kind: StaticString, _ priority: TaskPriority?, _ place: Place,
    _ work: @escaping @Sendable (Signal<Value, Failure>.Observer) async throws(Failure) -> Void
  ) {
    self.init(
      HandlerRecipe<Value, Failure>(.source(kind), place: place) { input, lifetime in
        // Tracked, so that backtraces lead to the code that started the producer.
        let task = TrackedTask.start(priority: priority) {
          do throws(Failure) {
            try await work(input)
            if Task.isCancelled { input.sendInterrupted() } else { input.sendCompleted() }
          } catch {
            if error is CancellationError {
              input.sendInterrupted()
            } else {
              input.send(error: error)
            }
          }
        }
        lifetime.observeEnded { task.cancel() }
      })
  }
}
