internal import VarveProbe

/// Makes a text of the record of how a stream came about.
///
/// A name is bounded in length, and rendering it in work, however deep and however wide the graph
/// is: a chain is walked in a loop from its end, which is what tells it from others, until the text
/// is long enough; other streams that appear as arguments get a part of the length each, and all
/// of them together a number of steps.
struct NameRendering {
  /// The longest name, in characters.
  static let longestName = 512
  /// The longest name in the bracket form, which its predecessor did not bound at all.
  static let longestBracketForm = 4096
  /// How many streams are looked at for one name.
  private static let mostSteps = 4096
  /// How many of a wide operator's inputs are shown.
  private static let mostParents = 8
  /// How many streams may appear in the arguments of one another.
  private static let deepestArgument = 4

  private let isOlder: Bool
  private var steps = NameRendering.mostSteps

  private init(isOlder: Bool) { self.isOlder = isOlder }

  /// The name that people see.
  static func name(of stream: StreamReference) -> String {
    var rendering = NameRendering(isOlder: false)
    return rendering.chain(to: stream, longest: longestName)
  }

  /// The name as if none had been given to the stream itself.
  static func derivation(of stream: StreamReference) -> String {
    var rendering = NameRendering(isOlder: false)
    return rendering.chain(to: stream, longest: longestName, isDerived: true)
  }

  /// The name in ReactiveCocoa 2's form.
  static func bracketForm(of stream: StreamReference) -> String {
    var rendering = NameRendering(isOlder: true)
    return rendering.chain(to: stream, longest: longestBracketForm)
  }

  /// The chain of operators that ends in a stream, from its source or the nearest name on.
  ///
  /// - Parameters:
  ///   - isDerived: whether the stream's own name is left out.
  ///   - depth: how many streams this one is an argument within.
  private mutating func chain(
    to last: StreamReference, longest: Int, isDerived: Bool = false, depth: Int = 0
  ) -> String {
    var labels: [String] = []
    var room = longest - 1
    var stream = last
    var ignoresName = isDerived
    while true {
      steps -= 1
      guard steps > 0 else { return assembled("…", labels) }
      if let name = stream.givenName, !ignoresName {
        return assembled(Self.end(of: name, longest: room + 1), labels)
      }
      ignoresName = false
      let operation = stream.operation
      if operation.isTransparent, let receiver = stream.receiver {
        stream = receiver
        continue
      }
      let label = filled(stream, operation, longest: longest, depth: depth)
      guard case .method = operation.form, let receiver = stream.receiver else {
        return assembled(Self.end(of: beginning(label, stream), longest: room + 1), labels)
      }
      // What an operator adds: `.label`, or `[` and `] label`.
      room -= label.count + (isOlder ? 3 : 1)
      guard room > 0 || labels.isEmpty else { return assembled("…", labels) }
      labels.append(label)
      stream = receiver
    }
  }

  /// What a name begins with that has no receiver.
  private func beginning(_ label: String, _ stream: StreamReference) -> String {
    guard !isOlder, case .source = stream.operation.form, let place = stream.place else {
      return label
    }
    return "\(label)@\(place)"
  }

  /// The text of a chain; `labels` are those of its operators, the last one first.
  private func assembled(_ first: String, _ labels: [String]) -> String {
    guard isOlder else { return ([first] + labels.reversed()).joined(separator: ".") }
    return labels.reversed().reduce(into: String(repeating: "[", count: labels.count) + first) {
      $0 += "] \($1)"
    }
  }

  private static func end(of text: String, longest: Int) -> String {
    guard text.count > longest else { return text }
    return longest > 1 ? "…" + text.suffix(longest - 1) : "…"
  }

  /// An operator's label with its arguments: each `$` stands for the next one, and `@`, in the older
  /// form, for the receiver, which some of ReactiveCocoa 2's names have twice.
  private mutating func filled(
    _ stream: StreamReference, _ operation: Operation, longest: Int, depth: Int
  ) -> String {
    var text = ""
    var remaining = operation.arguments[...]
    for character in isOlder ? operation.older.description : operation.template {
      if character == "$", let argument = remaining.popFirst() {
        text += rendered(argument, of: stream, longest: longest, depth: depth)
      } else if character == "@", isOlder, let receiver = stream.receiver {
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
    case .duration(let duration): return isOlder ? duration.sixDecimals : duration.short
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
    guard isOlder else { return shown.joined(separator: ", ") }
    return "(\n\(shown.map { "    \"\($0)\"" }.joined(separator: ",\n"))\n)"
  }

  /// A stream within another one's name.
  private mutating func argument(_ stream: StreamReference, longest: Int, depth: Int) -> String {
    guard depth < Self.deepestArgument, longest > 1 else { return "…" }
    return chain(to: stream, longest: longest, depth: depth + 1)
  }
}

extension Duration {
  /// `300ms`, `1.5s`, `20µs`: the shortest form that loses nothing.
  var short: String {
    let (seconds, attoseconds) = components
    // Beyond that, nanoseconds would not fit, and nobody would miss them.
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

  /// `0.500000`: what `%f` makes of seconds.
  var sixDecimals: String {
    let (seconds, attoseconds) = components
    let micros = String(attoseconds.magnitude / 1_000_000_000_000)
    let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
    return "\(sign)\(seconds.magnitude).\(String(repeating: "0", count: 6 - micros.count))\(micros)"
  }
}
