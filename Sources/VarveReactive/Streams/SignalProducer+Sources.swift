internal import VarveProbe

extension SignalProducer {
  /// Creates a producer that runs `startHandler` at each start.
  ///
  /// - Parameters:
  ///   - file: the file in which the stream is made; part of its name if it has no other.
  ///   - line: the line in `file`.
  ///   - startHandler: receives the input of this start, and a lifetime that ends when the start
  ///     has ended or was disposed of; attach clean-up work to the lifetime.
  @preconcurrency
  public init(
    file: String = #fileID, line: UInt = #line,
    _ startHandler: @escaping @Sendable (Signal<Value, Failure>.Observer, Lifetime) -> Void
  ) {
    self.init(
      HandlerRecipe(
        .source("producer", traits: .hasEffects),
        place: Place(file: file, line: UInt32(clamping: line)),
        startHandler))
  }

  /// Creates a producer that observes a signal at each start.
  @_disfavoredOverload
  public init(_ signal: Signal<Value, Failure>) {
    self.init(SignalRecipe(signal))
  }

  /// Creates a producer from anything that can be converted to one.
  @_disfavoredOverload
  public init<Source: SignalProducerConvertible<Value, Failure>>(_ source: Source) {
    self = source.producer
  }

  /// Creates a producer that sends the result of `action` and completes.
  @preconcurrency
  public init(_ action: @escaping @Sendable () -> Value) {
    self.init(sending: action)
  }

  private init(sending action: @escaping @Sendable () -> Value) {
    self.init(
      HandlerRecipe(.source("action", traits: .hasEffects), place: nil) { observer, _ in
        observer.send(value: action())
        observer.sendCompleted()
      })
  }

  /// Creates a producer that sends the value that `action` returns and completes, or fails.
  @preconcurrency
  public init(_ action: @escaping @Sendable () -> Result<Value, Failure>) {
    self.init(
      HandlerRecipe(.source("action", traits: .hasEffects), place: nil) { observer, _ in
        switch action() {
        case .success(let value):
          observer.send(value: value)
          observer.sendCompleted()
        case .failure(let failure):
          observer.send(error: failure)
        }
      })
  }

  /// Creates a producer that sends one value and completes.
  @inlinable
  public init(value: Value) {
    self.init(ValueRecipe(value))
  }

  /// Creates a producer that fails.
  public init(error: Failure) {
    self.init(EndRecipe(.source("error"), .failed(error)))
  }

  /// Creates a producer that sends a result's value and completes, or fails with its error.
  public init(result: Result<Value, Failure>) {
    switch result {
    case .success(let value): self.init(value: value)
    case .failure(let failure): self.init(error: failure)
    }
  }

  /// Creates a producer that sends the elements of a sequence and completes.
  ///
  /// Each start iterates on its own thread. Sequences that are not `Sendable`, such as those of
  /// `lazy`, are accepted; ensuring that several threads may iterate one is then up to you.
  @inlinable
  public init<Elements: Sequence>(_ values: Elements) where Elements.Element == Value {
    self.init(iterating: { (push: (Value) -> Bool) in
      for value in values where !push(value) { break }
    })
  }

  /// Creates a producer that sends each value that `iterate` passes to its argument, until the
  /// argument returns false.
  @usableFromInline
  init(iterating iterate: @escaping (_ push: (Value) -> Bool) -> Void) {
    self.init(SequenceRecipe(iterate))
  }

  /// Creates a producer that sends two or more values and completes.
  public init(values first: Value, _ second: Value, _ tail: Value...) {
    self.init([first, second] + tail)
  }

  /// A producer that completes at once.
  public static var empty: SignalProducer {
    SignalProducer(EndRecipe(.source("empty"), .completed))
  }

  /// A producer that never sends anything.
  public static var never: SignalProducer {
    SignalProducer(
      HandlerRecipe(.source("never"), place: nil) { observer, lifetime in
        lifetime += Retention(of: observer)
      })
  }
}

extension SignalProducer where Failure == any Error {
  /// Creates a producer that sends the result of `action` and completes, or fails with the error
  /// thrown.
  @preconcurrency
  public init(_ action: @escaping @Sendable () throws -> Value) {
    self.init { () -> Result<Value, any Error> in Result(catching: action) }
  }
}

// The same initializers for producers that cannot fail, so that `SignalProducer(value: 1)` is one
// where nothing else determines the type of failure.
extension SignalProducer where Failure == Never {
  /// Creates a producer that sends what `action` returns, and completes.
  @preconcurrency
  public init(_ action: @escaping @Sendable () -> Value) {
    self.init(sending: action)
  }

  /// Creates a producer that sends one value and completes.
  ///
  /// Disfavoured, so that a closure that trails is taken for the work, not for the value.
  @inlinable
  @_disfavoredOverload
  public init(value: Value) {
    self.init(ValueRecipe(value))
  }

  /// Creates a producer that sends the elements of a sequence and completes.
  ///
  /// Each start iterates on its own thread. Sequences that are not `Sendable`, such as those of
  /// `lazy`, are accepted; ensuring that several threads may iterate one is then up to you.
  @inlinable
  public init<Elements: Sequence>(_ values: Elements) where Elements.Element == Value {
    self.init(iterating: { (push: (Value) -> Bool) in
      for value in values where !push(value) { break }
    })
  }

  /// Creates a producer that sends two or more values and completes.
  public init(values first: Value, _ second: Value, _ tail: Value...) {
    self.init([first, second] + tail)
  }
}
