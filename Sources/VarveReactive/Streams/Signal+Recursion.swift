internal import VarveProbe

// Pipes, signals and producers that allow a value to be sent during their own delivery. On all
// others, this is a programmer error, which stops the program with a report.

extension Signal {
  /// Creates a signal and an input that may be used inside the signal's own delivery: a value sent
  /// there is delivered after the delivery in progress, first in, first out.
  ///
  ///     let (output, input) = Signal<Int, Never>.queuedPipe()
  ///     output.observeValues { if $0 > 0 { input.send(value: $0 - 1) } }
  ///     input.send(value: 3)  // delivers 3, 2, 1, 0
  ///
  /// The outermost `send` returns when all values have been delivered.
  ///
  /// - Parameters:
  ///   - name: the signal's name; without one it is called after its place.
  ///   - disposable: disposed of after the signal's end.
  ///   - file: where the stream was made.
  ///   - line: the line in `file`.
  public static func queuedPipe(
    named name: String? = nil, disposable: (any Disposable)? = nil, file: String = #fileID,
    line: UInt = #line
  ) -> (output: Signal, input: Observer) {
    makePipe(name: name, disposable, Place(file: file, line: line), recursion: .queued)
  }

  /// Creates a signal whose generator may send values inside the signal's own delivery: they are
  /// delivered after the delivery in progress, first in, first out.
  public static func queued(
    file: String = #fileID, line: UInt = #line, _ generator: (Observer, Lifetime) -> Void
  ) -> Signal {
    Signal(place: Place(file: file, line: line), recursion: .queued, generator)
  }

  /// Creates a signal and an input whose callers must not send concurrently: a value sent inside
  /// the signal's own delivery is delivered in the middle of it, and observers may then receive the
  /// values in different orders.
  ///
  /// - Parameters:
  ///   - name: the signal's name; without one it is called after its place.
  ///   - disposable: disposed of after the signal's end.
  ///   - file: where the stream was made.
  ///   - line: the line in `file`.
  public static func unserializedPipe(
    named name: String? = nil, disposable: (any Disposable)? = nil, file: String = #fileID,
    line: UInt = #line
  ) -> (output: Signal, input: Observer) {
    makePipe(name: name, disposable, Place(file: file, line: line), recursion: .nested)
  }

  /// Creates a signal whose generator must send one value at a time. See
  /// `unserializedPipe(named:disposable:)`.
  public static func unserialized(
    file: String = #fileID, line: UInt = #line, _ generator: (Observer, Lifetime) -> Void
  ) -> Signal {
    Signal(place: Place(file: file, line: line), recursion: .nested, generator)
  }
}

extension SignalProducer {
  /// Creates a producer whose start handler must send one value at a time. See
  /// `Signal.unserializedPipe(named:disposable:)`.
  @preconcurrency
  public static func unserialized(
    file: String = #fileID, line: UInt = #line,
    _ startHandler: @escaping @Sendable (Signal<Value, Failure>.Observer, Lifetime) -> Void
  ) -> SignalProducer {
    SignalProducer(
      HandlerRecipe(
        .source("producer", traits: .hasEffects), place: Place(file: file, line: line),
        recursion: .nested,
        startHandler))
  }
}
