internal import VarveFormat
internal import VarveProbe

/// One value that changed a property twice, in the same way.
extension Decisions {
  /// The maximum number of changes that are compared, the last ones, and of events behind each.
  private static let mostChanges = 64
  private static let mostBehindChange = 24

  /// Looks for two changes of the asked property that code in two places made of one value, and that do
  /// the same: both append the same element, for example. Of the two, the one that only follows a
  /// single run tells more than the one that follows all.
  mutating func changingTwice(_ effect: TraceEvent) {
    guard facts.is(effect.stream, [.hot, .replays]) else { return }
    let changes = (values[effect.stream] ?? []).suffix(Self.mostChanges)
      .compactMap { lookup[$0.name]?.brief }
    for index in changes.indices.dropFirst().reversed() {
      let (one, two) = (changes[index - 1], changes[index])
      let before = index > 1 ? changes[index - 2] : nil
      guard Self.isSameChange(one, two, since: before),
        let author = lookup.sender(of: one.name), let other = lookup.sender(of: two.name),
        author != other, haveSharedCause(one, two)
      else { continue }
      if isOfOneRun(one) {
        add(.changedTwice(two.name), one, 72)
      } else {
        add(.changedTwice(one.name), two, 72)
      }
      return
    }
  }

  private func haveSharedCause(_ one: TraceEvent, _ two: TraceEvent) -> Bool {
    let behind = Set(
      lookup.way(to: one.name, .pastWork, most: Self.mostBehindChange).dropFirst()
        .filter { $0.kind == .value }.map(\.name))
    return lookup.way(to: two.name, .pastWork, most: Self.mostBehindChange).dropFirst()
      .contains { behind.contains($0.name) }
  }

  /// Returns whether the value that led to a change came out of a stream that is started for each run.
  private func isOfOneRun(_ change: TraceEvent) -> Bool {
    guard let cause = change.causes.first.flatMap({ lookup[$0] }), cause.kind == .value else {
      return false
    }
    return !facts.is(cause.stream, .hot)
  }

  /// Returns whether a second change repeats the first one: it sets the same value, adds the same
  /// number, or appends the same element.
  static func isSameChange(_ one: TraceEvent, _ two: TraceEvent, since before: TraceEvent?) -> Bool
  {
    guard one.payload.kind == two.payload.kind else { return false }
    switch one.payload.kind {
    case .integer, .unsigned:
      guard let before, before.payload.kind == one.payload.kind else { return false }
      let step = one.payload.word &- before.payload.word
      return step != 0 && two.payload.word &- one.payload.word == step
    case .string, .description:
      return isAppendedTwice(one.payload, two.payload)
    default: return false
    }
  }

  /// Returns whether a list ends in an element that another list, which is one longer, ends in twice.
  private static func isAppendedTwice(_ one: EventPayload, _ two: EventPayload) -> Bool {
    let (short, long) = (one.bytes, two.bytes)
    guard short.count == one.word, long.count == two.word, let close = short.last,
      close == UInt8(ascii: "]"), long.last == close, long.count > short.count
    else { return false }
    let stem = short.dropLast()
    guard long.starts(with: stem) else { return false }
    let separator = Array(", ".utf8)
    let added = long.dropFirst(stem.count).dropLast()
    guard added.starts(with: separator), added.count > separator.count else { return false }
    return stem.suffix(added.count - separator.count).elementsEqual(
      added.dropFirst(separator.count))
  }
}
