package import VarveProbe

// Streams that another module of this package makes (`ReactiveCocoa2Compatibility`), and which no
// operator of this one describes.

extension StreamTitle {
  /// Creates a title.
  ///
  /// - Parameters:
  ///   - operation: what made the stream.
  ///   - parents: what it was made of.
  package convenience init(
    _ operation: Operation, of parents: [StreamTitle], name: String? = nil, place: Place? = nil,
    valueType: any Any.Type
  ) {
    self.init(
      operation, parents: parents.map { .title($0) }, name: name, place: place,
      valueType: valueType)
  }
}

extension Place {
  /// A place as `#fileID` and `#line` give it.
  package init(file: String, line: UInt) { self.init(file: file, line: UInt32(clamping: line)) }
}

extension SignalProducer {
  /// The identity of the producer's stream.
  package var title: StreamTitle { recipe.title }

  /// Creates a producer that is called `title` and does `startHandler` at each start.
  package init(
    _ title: StreamTitle,
    _ startHandler: @escaping (Signal<Value, Failure>.Observer, Lifetime) -> Void
  ) { self.init(HandlerRecipe(title, startHandler)) }

  /// Creates a producer that is never started: operators are applied to it in place of a stream
  /// that is no producer.
  package init(standingFor title: StreamTitle) { self.init(Recipe(title)) }
}
