internal import VarveMarbles

extension OutputStyle {
  /// Returns a line cut to the width of the output, colors included; unchanged if the style has no
  /// width.
  package func fitted(_ line: String) -> String {
    guard cutsLines, let width, DisplayWidth.of(line) > width || line.contains("\u{1b}") else {
      return line
    }
    var kept = ""
    var colour = ""
    var used = 0
    var cutAt = (text: "", colour: "")
    let ellipsis = ascii ? ".." : "…"
    let room = max(width - DisplayWidth.of(ellipsis), 0)
    var rest = Substring(line)
    while let character = rest.first {
      if character == "\u{1b}", let end = rest.firstIndex(of: "m") {
        colour = String(rest[...end])
        kept += colour
        rest = rest[rest.index(after: end)...]
        continue
      }
      if used <= room { cutAt = (kept, colour) }
      used += DisplayWidth.of(character)
      guard used <= width else {
        let isOpen = !cutAt.colour.isEmpty && cutAt.colour != Colour.end
        return cutAt.text + ellipsis + (isOpen ? Colour.end : "")
      }
      kept.append(character)
      rest = rest.dropFirst()
    }
    return line
  }

  /// Returns the name of a thread or scheduler, shortened if it is wider than `most` columns;
  /// unchanged if the style has no width.
  func middleShort(_ name: String, to most: Int) -> String {
    guard width != nil, DisplayWidth.of(name) > most else { return name }
    return NameCut.middle(name, to: most, ellipsis: ascii ? ".." : "…")
  }

  /// Returns the name of a stream shortened to leave room for its neighbors; unchanged if the style has no width.
  func short(_ name: String, to most: Int = 36) -> String {
    width == nil ? name : NameCut.cut(name, to: most, ellipsis: ascii ? ".." : "…")
  }
}
