internal import VarveProbe

/// The style in which names are written.
package struct NameStyle: Sendable {
  /// The maximum length of a name, in characters.
  let longest: Int
  /// The number of characters that an operator adds to a name in addition to its label.
  let joint: Int
  /// Whether a source is shown with its place.
  let showsPlaces: Bool
  /// The character that stands for the receiver in an operator's label.
  let receiverSign: Character?
  /// Returns an operator's label, with a `$` for each argument.
  let label: @Sendable (Operation) -> String
  let duration: @Sendable (Duration) -> String
  /// Renders several streams as one argument.
  let list: @Sendable ([String]) -> String
  /// Joins a source and the labels of the operators that follow it.
  let chain: @Sendable (String, [String]) -> String

  package init(
    longest: Int, joint: Int, showsPlaces: Bool, receiverSign: Character?,
    label: @escaping @Sendable (Operation) -> String,
    duration: @escaping @Sendable (Duration) -> String,
    list: @escaping @Sendable ([String]) -> String,
    chain: @escaping @Sendable (String, [String]) -> String
  ) {
    self.longest = longest
    self.joint = joint
    self.showsPlaces = showsPlaces
    self.receiverSign = receiverSign
    self.label = label
    self.duration = duration
    self.list = list
    self.chain = chain
  }

  /// `source.map(_:).take(first: 3)`.
  package static let dotted = NameStyle(
    longest: 512, joint: 1, showsPlaces: true, receiverSign: nil, label: { $0.template },
    duration: { $0.short }, list: { $0.joined(separator: ", ") },
    chain: { ([$0] + $1).joined(separator: ".") })
}

/// Renders the name of a stream from its operations.
///
/// The length of a name and the work of rendering it are bounded, however deep or wide the graph
/// is. A chain is walked in a loop from its end, the part that distinguishes it from others, until
/// the text is long enough. Each stream that appears as an argument gets a share of the length, and
/// the number of steps is limited for all of them together.
package struct NameRendering {
  /// The maximum number of streams visited for one name.
  private static let mostSteps = 4096
  /// The maximum number of a wide operator's inputs that are shown.
  private static let mostParents = 8
  /// The maximum nesting depth of streams as arguments.
  private static let deepestArgument = 4

  private let style: NameStyle
  private var steps = NameRendering.mostSteps

  private init(_ style: NameStyle) { self.style = style }

  /// Returns the name of a stream.
  package static func name(
    of stream: StreamReference, in style: NameStyle = .dotted
  ) -> String {
    var rendering = NameRendering(style)
    return rendering.chain(to: stream, longest: style.longest)
  }

  /// Returns the name that the stream would have if it had not been named itself.
  package static func derivation(of stream: StreamReference) -> String {
    var rendering = NameRendering(.dotted)
    return rendering.chain(to: stream, longest: rendering.style.longest, isDerived: true)
  }

  /// Returns the chain of operators that ends in a stream, from its source or the nearest given
  /// name.
  ///
  /// - Parameters:
  ///   - isDerived: whether the stream's own name is left out.
  ///   - depth: the number of streams that this one is nested in as an argument.
  private mutating func chain(
    to last: StreamReference, longest: Int, isDerived: Bool = false, depth: Int = 0
  ) -> String {
    var labels: [String] = []
    var room = longest - 1
    var stream = last
    var ignoresName = isDerived
    while true {
      steps -= 1
      guard steps > 0 else { return style.chain("…", labels.reversed()) }
      if let name = stream.givenName, !ignoresName {
        return style.chain(Self.end(of: name, longest: room + 1), labels.reversed())
      }
      ignoresName = false
      let operation = stream.operation
      if operation.isTransparent, let receiver = stream.receiver {
        stream = receiver
        continue
      }
      let label = filled(stream, operation, longest: longest, depth: depth)
      guard case .method = operation.form, let receiver = stream.receiver else {
        return style.chain(
          Self.end(of: beginning(label, stream), longest: room + 1), labels.reversed())
      }
      room -= label.count + style.joint
      guard room > 0 || labels.isEmpty else { return style.chain("…", labels.reversed()) }
      labels.append(label)
      stream = receiver
    }
  }

  /// Returns the beginning of a name that has no receiver.
  private func beginning(_ label: String, _ stream: StreamReference) -> String {
    guard style.showsPlaces, case .source = stream.operation.form, let place = stream.place else {
      return label
    }
    return "\(label)@\(place)"
  }

  private static func end(of text: String, longest: Int) -> String {
    guard text.count > longest else { return text }
    return longest > 1 ? "…" + text.suffix(longest - 1) : "…"
  }

  /// Returns an operator's label with its arguments filled in. Each `$` stands for the next
  /// argument. In ReactiveCocoa 2's style, `@` stands for the receiver, which some of its names
  /// contain twice.
  private mutating func filled(
    _ stream: StreamReference, _ operation: Operation, longest: Int, depth: Int
  ) -> String {
    var text = ""
    var remaining = operation.arguments[...]
    for character in style.label(operation) {
      if character == "$", let argument = remaining.popFirst() {
        text += rendered(argument, of: stream, longest: longest, depth: depth)
      } else if character == style.receiverSign, let receiver = stream.receiver {
        text += argument(receiver, longest: longest / 4, depth: depth)
      } else {
        text.append(character)
      }
    }
    return text
  }

  private mutating func rendered(
    _ argument: Operation.Argument, of stream: StreamReference, longest: Int, depth: Int
  ) -> String {
    switch argument {
    case .count(let count): return String(count)
    case .label(let label): return label
    case .duration(let duration): return style.duration(duration)
    case .parent(let index):
      let parents = stream.parents
      guard index < parents.count else { return "…" }
      return self.argument(parents[index], longest: longest / 4, depth: depth)
    case .parents: return list(of: stream.parents, longest: longest, depth: depth)
    }
  }

  private mutating func list(of parents: [StreamReference], longest: Int, depth: Int) -> String {
    var shown: [String] = []
    for parent in parents.prefix(Self.mostParents) {
      shown.append(
        argument(parent, longest: longest / (Self.mostParents + 2), depth: depth))
    }
    if parents.count > Self.mostParents { shown.append("…") }
    return style.list(shown)
  }

  /// Renders a stream within another stream's name.
  private mutating func argument(_ stream: StreamReference, longest: Int, depth: Int) -> String {
    guard depth < Self.deepestArgument, longest > 1 else { return "…" }
    return chain(to: stream, longest: longest, depth: depth + 1)
  }
}

extension Duration {
  /// The shortest exact form: `300ms`, `1.5s`, `20µs`.
  var short: String {
    let (seconds, attoseconds) = components
    // Beyond this, nanoseconds would not fit, and they would not matter.
    guard seconds.magnitude < 1_000_000_000 else { return "\(seconds)s" }
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    let units: [(Int64, String)] = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")]
    for (size, unit) in units where nanoseconds.magnitude >= size.magnitude {
      let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: size)
      if rest == 0 { return "\(whole)\(unit)" }
      let (tenths, more) = (rest * 10).quotientAndRemainder(dividingBy: size)
      if more == 0 { return "\(whole).\(abs(tenths))\(unit)" }
    }
    return nanoseconds == 0 ? "0s" : "\(nanoseconds)ns"
  }
}
