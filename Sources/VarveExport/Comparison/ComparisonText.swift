public import VarveAnalysis
internal import VarveFormat
internal import VarveMarbles

/// Shows two runs side by side: where they first differ, then each stream that differs.
public struct ComparisonText {
  /// One of the two traces.
  public struct Side {
    let words: TraceWords
    let lookup: EventLookup
    let name: String

    /// Prepares a side.
    ///
    /// - Parameters:
    ///   - words: the words of its trace.
    ///   - lookup: finds the events of its trace.
    ///   - name: what the command line calls its trace.
    public init(_ words: TraceWords, lookup: EventLookup, name: String) {
      self.words = words
      self.lookup = lookup
      self.name = words.style.escaped(name)
    }
  }

  private let left: Side
  private let right: Side

  private static let mostStreams = 40

  /// Prepares to compare two traces.
  public init(_ left: Side, _ right: Side) {
    self.left = left
    self.right = right
  }

  /// Returns the comparison, with a line break after each line.
  ///
  /// - Parameters:
  ///   - comparison: what the streams of both runs delivered.
  ///   - tasks: what became of their tasks, if these are compared.
  public func text(_ comparison: TraceComparison, _ tasks: TaskComparison? = nil) -> String {
    (first(comparison) + rest(comparison) + (tasks.map(groups) ?? []) + summary(comparison)
      + (tasks.map(summary) ?? [])).map { $0 + "\n" }.joined()
  }

  // MARK: - Tasks

  private func groups(_ tasks: TaskComparison) -> [String] {
    let style = left.words.style
    let shown = tasks.differences.prefix(Self.mostStreams).flatMap { difference in
      let group = difference.group
      let name = group.name.map { " \"\(style.escaped($0))\"" } ?? ""
      let kind = group.kind == .task ? "" : ", \(group.kind.rawValue)"
      let place = group.place.flatMap { left.words.place(.line($0)) }.map { " made at \($0)" } ?? ""
      let isUnknown = name.isEmpty && place.isEmpty && kind.isEmpty
      return [style.fitted(isUnknown ? "other tasks" : "tasks\(name)\(place)\(kind)")]
        + [("-", left, difference.left), ("+", right, difference.right)].map {
          sign, side, account in
          side.words.style.paint(
            side.words.style.fitted("  \(sign) \(text(account, side.words.style))"),
            sign == "-" ? .failed : .completed)
        }
    }
    let more = tasks.differences.count - Self.mostStreams
    return shown + (more > 0 ? ["and \(more) more groups of tasks that differ"] : [])
      + (shown.isEmpty ? [] : [""])
  }

  /// `3 tasks, 1 failed with URLError, 1 has not ended`.
  private func text(_ account: TaskComparison.Account, _ style: OutputStyle) -> String {
    guard account.made > 0 else { return "none" }
    var parts = [Counted.text(UInt64(account.made), "task", "tasks")]
    parts += account.failed.sorted { $0.key < $1.key }.map { error, count in
      "\(count) failed with \(style.escaped(error))"
    }
    if account.cancelled > 0 {
      parts.append(Counted.text(UInt64(account.cancelled), "was cancelled", "were cancelled"))
    }
    if account.lasting > 0 {
      let waiting =
        account.waiting > 0 ? " (\(Counted.text(UInt64(account.waiting), "waits", "wait")))" : ""
      parts.append(
        Counted.text(UInt64(account.lasting), "has not ended", "have not ended") + waiting)
    }
    return parts.joined(separator: ", ")
  }

  private func summary(_ tasks: TaskComparison) -> [String] {
    guard tasks.counts.0 + tasks.counts.1 > 0 else { return [] }
    let same = Counted.text(UInt64(tasks.same), "group of tasks", "groups of tasks")
    let differing = Counted.text(
      UInt64(tasks.differences.count), "group of tasks differs", "groups of tasks differ")
    return [
      tasks.differences.isEmpty ? "the same: \(same)" : "\(differing), \(tasks.same) the same"
    ]
  }

  private func first(_ comparison: TraceComparison) -> [String] {
    guard let divergence = comparison.divergences.first else { return [] }
    let ordinal = Counted.grouped(UInt64(divergence.ordinal))
    let title = heading(divergence) { "they part first at event \(ordinal) of \($0)" }
    return [left.words.style.paint(title, .bold)] + events(divergence)
      + (divergence.left.map {
        ["  next  " + TraceCommand([left.name]).line("why", "#\($0)")]
      } ?? []) + [""]
  }

  private func rest(_ comparison: TraceComparison) -> [String] {
    let others = comparison.divergences.dropFirst()
    let shown = others.prefix(Self.mostStreams).flatMap { divergence in
      let ordinal = Counted.grouped(UInt64(divergence.ordinal))
      return [heading(divergence) { "\($0), event \(ordinal)" }] + events(divergence)
    }
    let more = others.count - Self.mostStreams
    return shown + (more > 0 ? ["and \(more) more streams that differ"] : [])
      + (others.isEmpty ? [] : [""])
  }

  /// Returns the line above the events of a stream, whose name shortens where it does not fit.
  private func heading(
    _ divergence: TraceComparison.Divergence, _ line: (String) -> String
  ) -> String {
    let style = left.words.style
    let name = style.name(divergence.name)
    guard style.cutsLines, let width = style.width else { return line(name) }
    return line(style.short(name, to: max(width - DisplayWidth.of(line("")), 12)))
  }

  private func events(_ divergence: TraceComparison.Divergence) -> [String] {
    [
      ("-", left, divergence.left, divergence.leftCount),
      ("+", right, divergence.right, divergence.rightCount),
    ]
    .map { sign, side, name, count in
      func line(withTime: Bool) -> String {
        let counted = Counted.text(UInt64(count), "event", "events")
        return "  \(sign) \(event(name, side, withTime: withTime))  (\(counted))"
      }
      // The time goes before anything of the place is cut, also where a pager may show the rest.
      let style = side.words.style
      let whole = line(withTime: true)
      let shown = style.fits([whole]) ? whole : line(withTime: false)
      return style.paint(style.fitted(shown), sign == "-" ? .failed : .completed)
    }
  }

  private func event(_ name: EventName?, _ side: Side, withTime: Bool) -> String {
    guard let event = name.flatMap({ side.lookup[$0] }) else { return "nothing" }
    let time = withTime ? "  " + side.words.moment(event.ticks) : ""
    let place = side.words.place(of: event.stream).map { "  \($0)" } ?? ""
    let thread = side.words.style.middleShort(side.words.thread(event.ring), to: 16)
    return "#\(event.name)\(time)  \(thread)\(place)  \(side.words.predicate(event))"
  }

  private func summary(_ comparison: TraceComparison) -> [String] {
    func named(_ names: [String], _ side: Side) -> [String] {
      names.isEmpty
        ? []
        : side.words.style.wrapped(
          "only in \(side.name): "
            + names.prefix(12).map {
              side.words.style.short(side.words.style.name($0), to: 48)
            }.joined(separator: ", ")
            + (names.count > 12 ? " and \(names.count - 12) more" : ""), indent: 0)
    }
    let same = Counted.text(UInt64(comparison.same), "stream", "streams")
    let differing = Counted.text(
      UInt64(comparison.divergences.count), "stream differs", "streams differ")
    return named(comparison.onlyLeft, left) + named(comparison.onlyRight, right) + [
      !comparison.isSame
        ? "\(differing), \(same) the same"
        : comparison.isWhole ? "the same: \(same)" : "the same as far as compared: \(same)"
    ]
  }
}
