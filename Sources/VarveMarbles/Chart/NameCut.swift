/// Names of streams in fewer columns.
///
/// What a stream does is at the end of its name, and where it comes from is shown by the lines
/// above it. So a derived name loses operators from the left, then a part of the arguments of its
/// last operator: `….flatMap(.latest, _:)`, `….debounce(150ms, …)`. A scheduler keeps the name that
/// it was given: `Queue…(search)`. Another name without operators loses its middle: its ends
/// distinguish it from others.
package enum NameCut {
  /// Returns the name, shortened if it is wider than `width` columns.
  package static func cut(_ name: String, to width: Int, ellipsis: String) -> String {
    guard DisplayWidth.of(name) > width else { return name }
    if let whole = whole(name, to: width, ellipsis: ellipsis) { return whole }
    let borders = borders(of: name)
    for border in borders {
      let rest = ellipsis + name[border...]
      if DisplayWidth.of(rest) <= width { return rest }
    }
    let last = borders.last.map { ellipsis + name[$0...] } ?? name
    if let brief = withoutArguments(last, to: width, ellipsis: ellipsis) { return brief }
    return borders.isEmpty
      ? middle(name, to: width, ellipsis: ellipsis)
      : DisplayWidth.cut(last, to: width, ellipsis: ellipsis)
  }

  /// Returns `property` for `property@Shop.swift:14` beside that place, which it need not say again.
  package static func name(_ name: String, beside place: String?) -> String {
    guard let place, !place.isEmpty, name.hasSuffix("@" + place) else { return name }
    return String(name.dropLast(place.count + 1))
  }

  /// Returns the name of a thread or a scheduler, shortened if it is wider than `width` columns.
  package static func middle(_ name: String, to width: Int, ellipsis: String) -> String {
    guard DisplayWidth.of(name) > width else { return name }
    return whole(name, to: width, ellipsis: ellipsis)
      ?? numbered(name, to: width, ellipsis: ellipsis)
      ?? Chart.middleCut(name, to: width, ellipsis: ellipsis)
  }

  /// Shortens the names that have a part which stays whole; returns nil for others.
  private static func whole(_ name: String, to width: Int, ellipsis: String) -> String? {
    ofProcess(name, to: width, ellipsis: ellipsis) ?? scheduler(name, to: width, ellipsis: ellipsis)
  }

  /// Returns `wor…8172` for `worker 8172`: the number tells threads apart; nil for other names.
  private static func numbered(_ name: String, to width: Int, ellipsis: String) -> String? {
    guard let gap = name.lastIndex(of: " ") else { return nil }
    let number = name[gap...].dropFirst()
    let room = width - DisplayWidth.of(ellipsis) - number.count
    guard !number.isEmpty, number.allSatisfy(\.isWholeNumber), room > 0 else { return nil }
    return DisplayWidth.cut(name, to: room + DisplayWidth.of(ellipsis), ellipsis: ellipsis) + number
  }

  /// Returns `Queue…(search)` for `QueueScheduler(search)`, at last `…(search)`; nil for what is no
  /// name of a type with a name of its own in parentheses.
  private static func scheduler(_ name: String, to width: Int, ellipsis: String) -> String? {
    guard name.last == ")", name.first?.isUppercase == true,
      let open = name.firstIndex(of: "("), name[..<open].allSatisfy(\.isIdentifying),
      name[open...].count > 2
    else { return nil }
    let room = width - DisplayWidth.of(ellipsis + name[open...])
    if room >= 0 { return name[..<open].prefix(room) + ellipsis + name[open...] }
    let own = String(name[open...].dropFirst().dropLast())
    let kept = width - DisplayWidth.of(ellipsis) - 2
    guard kept > DisplayWidth.of(ellipsis) else { return nil }
    return "\(ellipsis)(\(Chart.middleCut(own, to: kept, ellipsis: ellipsis)))"
  }

  /// Returns `…[4711] main` for `SearchDemoCommand[4711] main`, a thread or a scheduler of one of
  /// several processes, or `…main` where that does not fit; nil for other names.
  private static func ofProcess(_ name: String, to width: Int, ellipsis: String) -> String? {
    guard let close = name.firstIndex(of: "]"), let open = name[..<close].lastIndex(of: "["),
      open > name.startIndex, name[close...].hasPrefix("] ")
    else { return nil }
    let number = name[name.index(after: open)..<close]
    guard !number.isEmpty, number.allSatisfy(\.isWholeNumber) else { return nil }
    let short = ellipsis + name[open...]
    if DisplayWidth.of(short) <= width { return short }
    let own = String(name[close...].dropFirst(2))
    let process = ellipsis + name[open...close] + " "
    let room = width - DisplayWidth.of(process)
    if let brief = scheduler(own, to: room, ellipsis: ellipsis), brief.hasSuffix(suffix(of: own)) {
      return process + brief
    }
    return DisplayWidth.of(ellipsis + own) <= width
      ? ellipsis + own : middle(own, to: width, ellipsis: ellipsis)
  }

  /// The part of a scheduler's name that is its own, in parentheses.
  private static func suffix(of name: String) -> Substring {
    name[(name.firstIndex(of: "(") ?? name.endIndex)...]
  }

  /// Returns the points before which operators begin, from left to right: those outside all
  /// parentheses, save the one of a file's name in `pipe@Shop.swift:12`.
  private static func borders(of name: String) -> [String.Index] {
    var borders: [String.Index] = []
    var depth = 0
    var isInPlace = false
    for index in name.indices {
      switch name[index] {
      case "(": depth += 1
      case ")": depth -= 1
      case "@": isInPlace = true
      case ":": isInPlace = false
      case "." where depth == 0 && !isInPlace:
        if name[name.index(after: index)...].first?.isLetter == true { borders.append(index) }
      default: break
      }
    }
    return borders.filter { $0 != name.startIndex }
  }

  /// Returns `….debounce(150ms, …)` for `….debounce(150ms, on: QueueScheduler.main)`; nil if the
  /// name does not end in arguments, or not even its beginning fits.
  private static func withoutArguments(
    _ name: String, to width: Int, ellipsis: String
  ) -> String? {
    guard name.last == ")", let open = name.firstIndex(of: "(") else { return nil }
    let head = String(name[...open])
    let room = width - DisplayWidth.of(head) - DisplayWidth.of(ellipsis) - 1
    guard room >= 0 else { return nil }
    var kept = ""
    var used = 0
    for character in name[name.index(after: open)...] {
      used += DisplayWidth.of(character)
      guard used <= room else { break }
      kept.append(character)
    }
    return head + kept + ellipsis + ")"
  }
}

extension Character {
  /// Whether the name of a type may contain the character.
  fileprivate var isIdentifying: Bool { isLetter || isNumber || self == "_" || self == "." }
}
