extension Recorder.Options {
  /// Reads options as `VARVE_OPTIONS` gives them: `policy=block,ring=1M,crashes=yes`.
  ///
  /// Stacks are recorded unless it says `stacks=no`: who records from outside looks for something.
  ///
  /// - Throws: the part that is not understood, with what could stand there. A program that asked
  ///   for privacy and misspelled it must not be recorded in full.
  package init(text: String) throws(OptionMistake) {
    self.init()
    recordsStacks = true
    for part in text.split(separator: ",") {
      let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try set(String(pieces[0]), to: pieces.count > 1 ? String(pieces[1]) : "yes")
    }
  }

  private mutating func set(_ name: String, to value: String) throws(OptionMistake) {
    func choose<Choice>(_ choices: KeyValuePairs<String, Choice>) throws(OptionMistake) -> Choice {
      if let found = choices.first(where: { $0.key == value }) { return found.value }
      let known = choices.map(\.key).joined(separator: ", ")
      throw OptionMistake(message: "'\(name)' may be \(known), not '\(value)'")
    }
    switch name {
    case "policy": policy = try choose(["drop": .drop, "block": .block])
    case "streams": streams = try choose(["all": .all, "named": .named])
    case "values":
      values = try choose(["all": .described, "types": .typesOnly, "none": .withheld])
    case "absorption": recordsAbsorption = try choose(["yes": true, "no": false])
    case "stacks": recordsStacks = try choose(["yes": true, "no": false])
    case "crashes": handlesCrashes = try choose(["yes": true, "no": false])
    case "ring":
      guard let bytes = Self.bytes(value) else {
        throw OptionMistake(message: "'ring' is a size such as 512K or 4M, not '\(value)'")
      }
      ringCapacity = bytes
    default:
      throw OptionMistake(
        message: "'\(name)' is none of policy, ring, streams, values, absorption, stacks, crashes")
    }
  }

  /// `65536`, `64K`, `1M`.
  private static func bytes(_ text: String) -> Int? {
    let unit = text.last.flatMap { ["K": 1 << 10, "M": 1 << 20][$0.uppercased()] }
    guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0,
      number <= (64 << 20) / (unit ?? 1)
    else { return nil }
    return number * (unit ?? 1)
  }
}

/// An option that is not understood.
package struct OptionMistake: Error {
  /// Which, and what could stand there.
  package var message: String
}
