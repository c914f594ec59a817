internal import VarveProbe

/// The place in the program's source where a stream was made.
typealias SourcePlace = Place

extension Place {
  /// Creates a place from `#fileID` and `#line`.
  init(file: String, line: UInt) { self.init(file: file, line: UInt32(clamping: line)) }
}

/// A reference to a stream, whether or not it has been numbered.
///
/// A signal is numbered at birth. A producer's stream is numbered on first use, so a
/// `SignalProducer(value:)` made a million times inside `flatMap` and never looked at costs
/// nothing.
@usableFromInline
enum StreamReference {
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
  var reference: StreamReference { .identity(identity) }
}

extension SignalProducer: Upstream {
  /// This producer as a parent of another stream.
  @usableFromInline
  var reference: StreamReference { .recipe(recipe) }
}
