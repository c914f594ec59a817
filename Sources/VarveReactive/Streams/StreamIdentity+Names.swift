internal import VarveProbe

/// Names are rendered when they are read, from the chain of identities, and never longer than
/// `longest` characters: a deep chain shows its end, which is what tells it from others.
extension StreamIdentity {
  /// The longest name that is rendered, in characters.
  static let longestName = 512

  /// The name that people see: the one given, or the derived one.
  var name: String { givenName.map(Self.bounded) ?? derivation }

  /// What the name is, or would be if none had been given.
  var derivation: String { Self.bounded(rendered(older: false, limit: 64, ignoringName: true)) }

  /// The name in ReactiveCocoa 2's bracket form, character for character (its `RACStream.name`).
  var bracketForm: String { Self.bounded(rendered(older: true, limit: 64, ignoringName: false)) }

  private static func bounded(_ text: String) -> String {
    guard text.utf8.count > longestName else { return text }
    return "…" + text.suffix(longestName - 1)
  }

  /// Renders at most `limit` stages deep, so that neither depth nor a wide graph explodes.
  private func rendered(older: Bool, limit: Int, ignoringName: Bool) -> String {
    if let givenName, !ignoringName { return givenName }
    if limit == 0 { return "…" }
    if operation.isTransparent, let parent = parents.first {
      return parent.rendered(older: older, limit: limit - 1, ignoringName: false)
    }
    let label = filled(older ? operation.older : operation.label, older: older, limit: limit)
    switch operation.form {
    case .source:
      if older { return label }
      return place.map { "\(label)@\($0)" } ?? label
    case .function:
      return label
    case .method:
      guard let receiver = parents.first else { return label }
      let text = receiver.rendered(older: older, limit: limit - 1, ignoringName: false)
      return older ? "[\(text)] \(label)" : "\(text).\(label)"
    }
  }

  private func filled(_ template: StaticString, older: Bool, limit: Int) -> String {
    var text = ""
    var remaining = operation.arguments[...]
    for character in template.description {
      if character == "$", let argument = remaining.popFirst() {
        text += rendered(argument, older: older, limit: limit)
      } else {
        text.append(character)
      }
    }
    return text
  }

  private func rendered(_ argument: Operation.Argument, older: Bool, limit: Int) -> String {
    // Half the depth for each argument: a graph in which every stage has two parents stays small.
    let nested = min(limit - 1, 4)
    func name(_ stream: StreamIdentity) -> String {
      stream.rendered(older: older, limit: nested, ignoringName: false)
    }
    switch argument {
    case .count(let count): return String(count)
    case .label(let label): return label
    case .duration(let duration): return older ? duration.sixDecimals : duration.short
    case .parent(let index): return index < parents.count ? name(parents[index]) : "…"
    case .parents:
      let shown = parents.prefix(8).map(name) + (parents.count > 8 ? ["…"] : [])
      return older
        ? "(\n\(shown.map { "    \"\($0)\"" }.joined(separator: ",\n"))\n)"
        : shown.joined(separator: ", ")
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

extension Duration {
  /// `300ms`, `1.5s`, `20µs`: the shortest form that loses nothing.
  var short: String {
    let (seconds, attoseconds) = components
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    let units: [(Int64, String)] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")]
    for (size, unit) in units where nanoseconds.magnitude >= size.magnitude {
      if nanoseconds % size == 0 { return "\(nanoseconds / size)\(unit)" }
      let tenths = nanoseconds * 10 / size
      if nanoseconds * 10 % size == 0 { return "\(tenths / 10).\(abs(tenths % 10))\(unit)" }
    }
    return nanoseconds == 0 ? "0s" : "\(nanoseconds)ns"
  }

  /// `0.500000`: what `%f` makes of seconds.
  var sixDecimals: String {
    let (seconds, attoseconds) = components
    let micros = String(attoseconds.magnitude / 1_000_000_000_000)
    let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
    return "\(sign)\(seconds.magnitude).\(String(repeating: "0", count: 6 - micros.count))\(micros)"
  }
}
