public import VarveFormat

/// Writes the result of checking a whole trace.
public enum VerificationText {
  /// Returns a line for each error and a summary, for people. Each line begins with `name` if it
  /// is given, to distinguish several traces. What `style` has no room for goes on in the next line.
  public static func text(
    _ found: TraceVerification, of reader: TraceReader, called name: String? = nil,
    style: OutputStyle = .plain
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
    return (lines + [sum]).flatMap { style.hanging(start + $0) }.map { $0 + "\n" }.joined()
  }

  private static func line(_ kind: String, _ place: TraceDamage) -> String {
    "\(kind): byte \(place.offset), \(Counted.text(place.bytes, "byte", "bytes")): "
      + TerminalText.escaped(place.reason)
  }

  /// Returns one object, for scripts, without a line break after it.
  ///
  /// Its keys are a promise: `file` (the trace's name), `intact`, `events`, `sidecar_events` (the
  /// number of them that only the sidecar contains), `lacks_sidecar` (if true, the trace is not
  /// intact), `blocks`, `bytes`, `damage` and `disorder`, both lists of objects with `offset`,
  /// `bytes` and `reason`.
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

  /// Returns the same object in one line, with a line break.
  public static func line(
    _ found: TraceVerification, of reader: TraceReader, _ name: String
  ) -> String {
    func objects(_ places: [TraceDamage]) -> String {
      let objects = places.map { place in
        JSONMembers().adding("offset", String(place.offset)).adding("bytes", String(place.bytes))
          .adding("reason", JSONText.quoted(place.reason)).text
      }
      return "[\(objects.joined(separator: ","))]"
    }
    let isIntact = found.damage.isEmpty && found.disorder.isEmpty && !reader.lacksSidecar
    return JSONMembers().adding("file", JSONText.quoted(name))
      .adding("intact", String(isIntact))
      .adding("events", String(found.events))
      .adding("sidecar_events", String(reader.sidecarEvents))
      .adding("lacks_sidecar", String(reader.lacksSidecar))
      .adding("blocks", String(found.blocks))
      .adding("bytes", String(reader.bytes))
      .adding("damage", objects(found.damage))
      .adding("disorder", objects(found.disorder)).text + "\n"
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
