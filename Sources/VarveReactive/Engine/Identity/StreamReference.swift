internal import VarveProbe

/// The place in the program's source where a stream was created.
typealias SourcePlace = Place

/// A reference to the stream that a stage delivers.
///
/// A signal is numbered when it is created. A producer's stream is numbered on first use, so a
/// `SignalProducer(value:)` that is created a million times inside `flatMap` and never inspected
/// costs nothing.
@usableFromInline
package enum StreamReference {
  case identity(StreamIdentity)
  case title(StreamTitle)

  /// Returns a reference to a recipe's stream, which holds only the title.
  static func recipe(_ recipe: AnyRecipe) -> StreamReference { .title(recipe.title) }

  var identity: StreamIdentity {
    switch self {
    case .identity(let identity): identity
    case .title(let title): title.identity
    }
  }
}

/// A stream that an operator can be applied to.
@usableFromInline
protocol Upstream {
  /// The stream, as a parent of another one.
  var reference: StreamReference { get }
}

extension Signal: Upstream {
  /// This signal as a parent of another stream.
  @usableFromInline
  package var reference: StreamReference { .identity(identity) }
}

extension SignalProducer: Upstream {
  /// This producer as a parent of another stream.
  @usableFromInline
  package var reference: StreamReference { .recipe(recipe) }
}
