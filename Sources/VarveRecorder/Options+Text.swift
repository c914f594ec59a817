internal import VarveProbe

extension Recorder.Options {
  /// The names of the presets.
  private static let presets: KeyValuePairs<String, Recorder.Options> = [
    "debugging": .debugging, "light": Recorder.Options(), "production": .production,
  ]

  /// Creates options from the text of `VARVE_OPTIONS`: `policy=block,ring=1M,stacks=no`.
  ///
  /// What the text does not mention is as in the preset that it names, or else as in `debugging`: a
  /// recording requested from outside is usually made to find something.
  ///
  /// - Throws: The part that is not understood, with the alternatives. A program that misspells a
  ///   request for privacy must not be recorded in full.
  package init(text: String) throws(OptionMistake) {
    self = .debugging
    for part in text.split(separator: ",") {
      let option = OptionText(part)
      if option.name == "preset" { self = try option.choice(Self.presets) }
    }
    var first: Int?
    for part in text.split(separator: ",") {
      let option = OptionText(part)
      switch option.name {
      case "preset": break
      case "first": first = option.value == "0" ? 0 : try option.bytes()
      default: try set(option)
      }
    }
    if let first {
      guard case .keepLast(let window) = policy.kind else {
        throw OptionMistake(message: "'first' says what is kept beside the last: it needs 'keep'")
      }
      policy = .keepLast(window.keepingFirst(first))
    }
    if let contradiction { throw OptionMistake(message: contradiction) }
  }

  /// Applies a change that `varve control` requests, if it is possible during a recording.
  mutating func obey(_ option: OptionText) throws(OptionMistake) {
    switch option.name {
    case "streams", "include", "exclude", "sample", "values", "private", "typed", "absorption",
      "stacks", "senders", "reads":
      try set(option)
    case "preset":
      let preset = try option.choice(Self.presets)
      values = preset.values
      recordsAbsorption = preset.recordsAbsorption
      recordsStacks = preset.recordsStacks
      recordsSenders = preset.recordsSenders
      recordsReads = preset.recordsReads
      recordsArguments = preset.recordsArguments
      recordsHost = preset.recordsHost
    default:
      throw OptionMistake(
        message: "'\(option.name)' is none of streams, include, exclude, sample, values, private, "
          + "typed, preset, absorption, stacks, senders, reads: nothing else changes while a program "
          + "is recorded")
    }
  }

  private mutating func set(_ option: OptionText) throws(OptionMistake) {
    switch option.name {
    case "policy": policy = try option.choice(["drop": .drop, "block": .block])
    case "keep": policy = .keepLast(try option.window())
    case "rotate", "files": rotation = try option.rotation(changing: rotation)
    case "snapshot": snapshots.insert(try option.trigger())
    case "streams": streams = try option.choice(["all": .all, "named": .named])
    case "values":
      values = try option.choice([
        "all": .described, "types": .typesOnly, "names": .typeNames, "none": .withheld,
      ])
    case "include": selection.included.append(try option.pattern())
    case "exclude": selection.excluded.append(try option.pattern())
    case "sample": selection.samplings.append(try option.sampling())
    case "private": selection.details.append(.init(try option.pattern(), .withheld))
    case "typed": selection.details.append(.init(try option.pattern(), .types))
    case "absorption": recordsAbsorption = try option.choice(["yes": true, "no": false])
    case "stacks": recordsStacks = try option.choice(["yes": true, "no": false])
    case "senders": recordsSenders = try option.choice(["yes": true, "no": false])
    case "reads": recordsReads = try option.choice(["yes": true, "no": false])
    case "tasks": recordsTasks = try option.choice(["yes": true, "no": false])
    case "arguments": recordsArguments = try option.choice(["yes": true, "no": false])
    case "host": recordsHost = try option.choice(["yes": true, "no": false])
    case "crashes": handlesCrashes = try option.choice(["yes": true, "no": false])
    case "ring": ringCapacity = try option.bytes(most: 64 << 20)
    default:
      throw OptionMistake(
        message: "'\(option.name)' is none of policy, keep, first, rotate, files, snapshot, ring, "
          + "streams, include, exclude, sample, private, typed, values, absorption, stacks, "
          + "senders, reads, tasks, arguments, host, preset, crashes"
      )
    }
  }
}

/// One option in a text.
struct OptionText {
  var name: String
  var value: String

  /// Splits `name=value`; a name alone means yes.
  init(_ part: Substring) {
    let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(pieces[0])
    value = pieces.count > 1 ? String(pieces[1]) : "yes"
  }

  /// Returns the value as one of some words.
  func choice<Choice>(_ choices: KeyValuePairs<String, Choice>) throws(OptionMistake) -> Choice {
    if let found = choices.first(where: { $0.key == value }) { return found.value }
    throw OptionMistake(
      message: "'\(name)' may be \(choices.map(\.key).joined(separator: ", ")), not '\(value)'")
  }

  private static let sizes: KeyValuePairs<String, Int> = [
    "K": 1 << 10, "k": 1 << 10, "M": 1 << 20, "m": 1 << 20, "G": 1 << 30, "g": 1 << 30,
  ]

  /// Returns the value as a size: `65536`, `64K`, `64k`, `1M`, `2G`. Where a time may stand, too,
  /// `10m` are ten minutes.
  func bytes(most: Int = 1 << 40) throws(OptionMistake) -> Int {
    guard let bytes = number(units: Self.sizes, most: most) else {
      throw OptionMistake(message: "'\(name)' is a size such as 512K or 4M, not '\(value)'")
    }
    return bytes
  }

  /// The value as a duration: `500ms`, `30s`, `10m`, `2h`; nil if it is none.
  private var duration: Duration? {
    number(
      units: ["ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000], most: 1 << 40, needsUnit: true
    ).map { .milliseconds($0) }
  }

  func window() throws(OptionMistake) -> Recorder.Window {
    if let duration { return .time(duration) }
    guard let bytes = try? bytes() else {
      throw OptionMistake(message: "'\(name)' is a size or a time, 64M or 30s, not '\(value)'")
    }
    return .bytes(bytes)
  }

  func rotation(changing earlier: Recorder.Rotation?) throws(OptionMistake) -> Recorder.Rotation {
    var rotation = earlier ?? Recorder.Rotation()
    if name == "files" {
      guard let files = Int(value), files >= 0 else {
        throw OptionMistake(message: "'files' is a number of files, not '\(value)'")
      }
      rotation.files = files
    } else if let duration {
      rotation.age = duration
    } else if let bytes = try? bytes() {
      rotation.bytes = bytes
    } else {
      throw OptionMistake(message: "'rotate' is a size or a time, 64M or 10m, not '\(value)'")
    }
    return rotation
  }

  /// Returns the value as a trigger: `USR1`, `failed:login*`, `absorbed:filtered`.
  func trigger() throws(OptionMistake) -> Recorder.Trigger {
    let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[0] == "failed" { return .failure(of: NameGlob(parts[1])) }
    if parts.count == 2, parts[0] == "absorbed",
      let reason = AbsorptionReason.allCases.first(where: { "\($0)" == parts[1] })
    {
      return .absorption(reason)
    }
    if let signal = SnapshotSignal.number(value) { return .signal(signal) }
    throw OptionMistake(
      message: "'snapshot' may be a signal such as USR1, failed:NAME, absorbed:REASON, not "
        + "'\(value)'")
  }

  /// Returns the value as a pattern: `login*`.
  func pattern() throws(OptionMistake) -> NameGlob {
    guard !value.isEmpty, value != "yes" else {
      throw OptionMistake(
        message: "'\(name)' is a pattern of names such as login*, and none is given")
    }
    return NameGlob(value)
  }

  /// Returns the value as a sampling rule: `mouse*:100`.
  func sampling() throws(OptionMistake) -> StreamSelection.Sampling {
    guard let colon = value.lastIndex(of: ":"),
      let oneIn = Int(value[value.index(after: colon)...]),
      oneIn > 0, colon > value.startIndex
    else {
      throw OptionMistake(
        message: "'\(name)' is a pattern of names and one in how many, mouse*:100, not '\(value)'")
    }
    return .init(NameGlob(String(value[..<colon])), oneIn: oneIn)
  }

  private func number(units: KeyValuePairs<String, Int>, most: Int, needsUnit: Bool = false) -> Int?
  {
    let digits = value.prefix { $0.isASCII && $0.isNumber }
    let rest = value.dropFirst(digits.count)
    let unit = units.first { $0.key == rest }?.value
    guard let number = Int(digits), number > 0, unit != nil || rest.isEmpty && !needsUnit else {
      return nil
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    return overflow || product > most ? nil : product
  }
}

/// An error in an option.
package struct OptionMistake: Error {
  /// The option, and the alternatives.
  package var message: String
}
