internal import VarveProbe

extension Signal {
  /// Creates a signal and the input that controls it.
  ///
  /// - Parameters:
  ///   - name: the signal's name; if nil, it is named after its place.
  ///   - disposable: disposed of after the signal's end.
  ///   - file: the file in which the stream is created.
  ///   - line: the line in `file`.
  public static func pipe(
    named name: String? = nil, disposable: (any Disposable)? = nil, file: String = #fileID,
    line: UInt = #line
  ) -> (output: Signal, input: Observer) {
    makePipe(name: name, disposable, Place(file: file, line: UInt32(clamping: line)))
  }

  static func makePipe(
    name: String?, _ disposable: (any Disposable)?, _ place: Place,
    recursion: Recursion = .refused
  ) -> (output: Signal, input: Observer) {
    let identity = StreamIdentity(
      .source("pipe"), name: name, place: place, valueType: Value.self)
    let (fanOut, root) = makeRoot(identity, resources: disposable)
    return (Signal(fanOut), Input.make(root, recursion: recursion))
  }

  /// A signal that never sends anything.
  public static var never: Signal {
    let identity = StreamIdentity(.source("never"), valueType: Value.self)
    return Signal(makeRoot(identity).0)
  }

  /// A signal that has completed; its observers are interrupted.
  public static var empty: Signal {
    let identity = StreamIdentity(.source("empty"), valueType: Value.self)
    let (fanOut, root) = makeRoot(identity)
    root.send(.completed)
    return Signal(fanOut)
  }
}
