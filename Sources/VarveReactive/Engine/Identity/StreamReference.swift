internal import VarveProbe

/// Where in the program's source a stream was made.
typealias SourcePlace = Place

/// Where a stage finds out which stream it delivers.
///
/// A signal knows from birth. A producer's streams are numbered when somebody first asks: a
/// `SignalProducer(value:)` made a million times inside `flatMap` and never looked at costs nothing.
@usableFromInline
package enum StreamReference {
  case identity(StreamIdentity)
  case title(StreamTitle)

  /// The stream of a recipe, of which it holds the title alone.
  static func recipe(_ recipe: AnyRecipe) -> StreamReference { .title(recipe.title) }

  var identity: StreamIdentity {
    switch self {
    case .identity(let identity): identity
    case .title(let title): title.identity
    }
  }
}

/// What an operator can be made of.
@usableFromInline
protocol Upstream {
  /// The stream, as a parent of another.
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
