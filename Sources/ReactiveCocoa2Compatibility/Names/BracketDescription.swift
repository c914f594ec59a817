public import VarveReactive

extension Signal {
  /// The name in ReactiveCocoa 2's form: `[[username] -distinctUntilChanged] -take: 3`.
  public var bracketDescription: String { NameRendering.name(of: reference, in: .brackets) }
}

extension SignalProducer {
  /// The name in ReactiveCocoa 2's form.
  public var bracketDescription: String { NameRendering.name(of: reference, in: .brackets) }
}

extension Connection {
  /// The name in ReactiveCocoa 2's form.
  public var bracketDescription: String { producer.bracketDescription }
}
