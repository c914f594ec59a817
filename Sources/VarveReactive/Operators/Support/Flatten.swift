extension Junction {
  /// Flattens the inner streams that `outer` delivers into one.
  ///
  /// - Parameters:
  ///   - transform: returns the inner stream for a value of `outer`.
  ///   - translate: translates a failure of `outer` into one of the output.
  static func flatten<Outer, OuterFailure: Error>(
    _ operation: Operation, _ strategy: FlattenStrategy, _ outer: Feed<Outer, OuterFailure>,
    transform: @escaping (Outer) -> SignalProducer<Output, OutputFailure>,
    translate: @escaping (OuterFailure) -> OutputFailure
  ) -> Junction {
    Junction(operation, inputs: [outer]) { root, disposables in
      let inners = Inners(root, strategy)
      disposables += inners
      outer.connect(OuterInlet(inners, transform, translate), stoppedBy: disposables)
    }
  }
}

/// Receives the inner streams.
private final class OuterInlet<Outer, OuterFailure: Error, Output, Failure: Error>:
  Inlet<Outer, OuterFailure, Output, Failure>
{
  private let transform: (Outer) -> SignalProducer<Output, Failure>
  private let inners: Inners<Output, Failure>
  private let translate: (OuterFailure) -> Failure

  init(
    _ inners: Inners<Output, Failure>,
    _ transform: @escaping (Outer) -> SignalProducer<Output, Failure>,
    _ translate: @escaping (OuterFailure) -> Failure
  ) {
    self.inners = inners
    let scope = TemplateScope(of: inners.root)
    self.transform = { value in scope.run { transform(value) } }
    self.translate = translate
    super.init(inners.root)
    inners.account = account
  }

  override func receive(_ value: Outer) {
    if let reason = inners.add(transform(value).recipe) { swallow(reason) }
  }

  override func terminate(_ termination: Termination<OuterFailure>) {
    switch termination {
    case .completed: inners.outerCompleted()
    case .failed(let failure): root.send(.failed(translate(failure)))
    case .interrupted: root.send(.interrupted)
    }
  }
}
