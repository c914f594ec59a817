public import VarveReactive

extension Signal {
  /// See `queuedPipe(named:disposable:)`.
  public static func reentrantUnserializedPipe(
    disposable: (any Disposable)? = nil, file: String = #fileID, line: UInt = #line
  ) -> (output: Signal, input: Observer) {
    queuedPipe(disposable: disposable, file: file, line: line)
  }

  /// See `queued(_:)`.
  public static func reentrantUnserialized(
    file: String = #fileID, line: UInt = #line, _ generator: (Observer, Lifetime) -> Void
  ) -> Signal { queued(file: file, line: line, generator) }
}
