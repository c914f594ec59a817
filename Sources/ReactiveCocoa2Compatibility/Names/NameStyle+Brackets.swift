package import VarveReactive

extension NameStyle {
  /// The style `[[source] -map:] -take: 3` of ReactiveCocoa 2's `RACStream.name`, which, however,
  /// had no length limit.
  package static let brackets = NameStyle(
    longest: 4096, joint: 3, showsPlaces: false, receiverSign: "@",
    label: { operation in
      let label = operation.template
      if case .source = operation.form { return BracketNames.sourceName(for: label) }
      return BracketNames.operatorName(for: label)
    },
    duration: { $0.sixDecimals },
    list: { streams in
      "(\n\(streams.map { "    \"\($0)\"" }.joined(separator: ",\n"))\n)"
    },
    chain: { first, labels in
      labels.reduce(into: String(repeating: "[", count: labels.count) + first) { $0 += "] \($1)" }
    })
}

extension Duration {
  /// The duration in seconds, as formatted by `%f`: `0.500000`.
  fileprivate var sixDecimals: String {
    let (seconds, attoseconds) = components
    let micros = String(attoseconds.magnitude / 1_000_000_000_000)
    let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
    return "\(sign)\(seconds.magnitude).\(String(repeating: "0", count: 6 - micros.count))\(micros)"
  }
}
