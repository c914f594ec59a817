internal import VarveProbe

/// Names are rendered when they are read.
extension StreamIdentity {
  /// The name that people see: the one given, or the derived one.
  var name: String { NameRendering.name(of: .identity(self)) }

  /// What the name is, or would be if none had been given.
  var derivation: String { NameRendering.derivation(of: .identity(self)) }
}

// What a name is made of, whether the stream has been numbered or not: to read the name of a
// producer numbers nothing.
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

  /// The first of the streams that feed it.
  var receiver: StreamReference? {
    switch self {
    case .identity(let identity): identity.parents.first.map { .identity($0) }
    case .title(let title): title.parents.first
    }
  }

  /// The streams that feed it.
  var parents: [StreamReference] {
    switch self {
    case .identity(let identity): identity.parents.map { .identity($0) }
    case .title(let title): title.parents
    }
  }
}

extension Operation {
  /// The label with its own arguments, other streams left out: tells templates apart.
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
