internal import VarveProbe

/// Names, which are rendered when they are read.
extension StreamIdentity {
  /// The name to display: the given one, or else the derived one.
  var name: String { NameRendering.name(of: .identity(self)) }

  /// The derived name, even if another name was given.
  var derivation: String { NameRendering.derivation(of: .identity(self)) }
}

// The parts of a name, whether or not the stream has been numbered: reading a producer's name does
// not number it.
extension StreamReference {
  var operation: Operation {
    switch self {
    case .identity(let identity): identity.operation
    case .title(let title): title.operation
    }
  }

  /// The name that the user gave.
  var givenName: String? {
    switch self {
    case .identity(let identity): identity.givenName
    case .title(let title): title.name
    }
  }

  var place: Place? {
    switch self {
    case .identity(let identity): identity.place
    case .title(let title): title.place
    }
  }

  /// The first of the streams that feed this one.
  var receiver: StreamReference? {
    switch self {
    case .identity(let identity): identity.parents.first.map { .identity($0) }
    case .title(let title): title.parents.first
    }
  }

  /// The streams that feed this one.
  var parents: [StreamReference] {
    switch self {
    case .identity(let identity): identity.parents.map { .identity($0) }
    case .title(let title): title.parents
    }
  }
}

extension Operation {
  /// The label with its own arguments, without other streams; tells templates apart.
  var filledLabel: String {
    arguments.reduce(into: label.description) { text, argument in
      switch argument {
      case .count(let count): text += " \(count)"
      case .duration(let duration): text += " \(duration)"
      case .label(let label): text += " \(label)"
      case .parent, .parents: break
      }
    }
  }
}
