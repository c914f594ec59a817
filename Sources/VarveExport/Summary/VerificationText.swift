public import VarveFormat

/// What a check of a whole trace has found.
public enum VerificationText {
  /// For people: a line for each thing that is wrong, and one that sums up; each begins with the
  /// trace's name when it is given one, because others are told of, too.
  public static func text(
    _ found: TraceVerification, of reader: TraceReader, called name: String? = nil
  ) -> String {
    let lines =
      found.damage.map { line("damaged", $0) } + found.disorder.map { line("disorder", $0) }
    let beside =
      reader.sidecarEvents == 0
      ? "" : ", \(Counted.grouped(reader.sidecarEvents)) of them in the sidecar"
    let read =
      "\(Counted.text(found.events, "event", "events"))\(beside) in "
      + Counted.text(UInt64(found.blocks), "block", "blocks")
      + ", \(Counted.bytes(reader.bytes))"
    let running = reader.ending == .running ? "; it is still being recorded" : ""
    let right = "every checksum is right, and every event is in its order\(running)"
    let sum =
      if !lines.isEmpty {
        "\(Counted.text(UInt64(lines.count), "place is", "places are")) wrong; read: \(read)\(running)"
      } else if reader.lacksSidecar {
        "incomplete: \(read): \(right); but its end is not there, and the last events may be missing"
      } else {
        "intact: \(read): \(right)"
      }
    let start = name.map { TerminalText.escaped($0) + ": " } ?? ""
    return (lines + [sum]).map { "\(start)\($0)\n" }.joined()
  }

  private static func line(_ kind: String, _ place: TraceDamage) -> String {
    "\(kind): byte \(place.offset), \(Counted.text(place.bytes, "byte", "bytes")): "
      + TerminalText.escaped(place.reason)
  }

  /// For scripts: one object, without a line break behind it. Its keys are a promise: `file` (its
  /// name), `intact`, `events`, `sidecar_events` (how many
  /// of them lie in the sidecar alone), `lacks_sidecar` (then it is not intact), `blocks`, `bytes`,
  /// `damage` and `disorder`, both lists of objects with `offset`, `bytes` and `reason`.
  public static func json(
    _ found: TraceVerification, of reader: TraceReader, _ name: String
  ) -> String {
    let isIntact = found.damage.isEmpty && found.disorder.isEmpty && !reader.lacksSidecar
    return """
      {
        "file": \(JSONText.quoted(name)),
        "intact": \(isIntact),
        "events": \(found.events),
        "sidecar_events": \(reader.sidecarEvents),
        "lacks_sidecar": \(reader.lacksSidecar),
        "blocks": \(found.blocks),
        "bytes": \(reader.bytes),
        "damage": [\(list(found.damage))],
        "disorder": [\(list(found.disorder))]
      }
      """
  }

  private static func list(_ places: [TraceDamage]) -> String {
    guard !places.isEmpty else { return "" }
    let objects = places.map { place in
      "    {\"offset\": \(place.offset), \"bytes\": \(place.bytes), "
        + "\"reason\": \(JSONText.quoted(place.reason))}"
    }
    return "\n" + objects.joined(separator: ",\n") + "\n  "
  }
}
