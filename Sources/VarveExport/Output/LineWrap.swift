internal import VarveMarbles

extension OutputStyle {
  /// Returns text broken between words into lines that fit behind an indentation; one line if the
  /// style has no width. A word that is too long for a line, as a path may be, is broken, behind a
  /// slash if it has one there.
  package func wrapped(_ text: String, indent: Int) -> [String] {
    guard let width else { return [text] }
    let room = max(width - indent, 20)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if line.isEmpty, lines.isEmpty || !word.isEmpty {
        line = String(word)
      } else if DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) <= room {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
      while DisplayWidth.of(line) > room {
        let part = Self.beginning(of: line, in: room)
        lines.append(String(part))
        line = String(line[part.endIndex...])
      }
    }
    return lines + [line]
  }

  /// Returns as much of a word as a line has room for, up to a slash if there is one.
  private static func beginning(of word: String, in room: Int) -> Substring {
    var used = 0
    let fitting = word.prefix { character in
      used += DisplayWidth.of(character)
      return used <= room
    }
    guard let slash = fitting.lastIndex(of: "/"), slash > word.startIndex else {
      return fitting.isEmpty ? word.prefix(1) : fitting
    }
    return fitting[...slash]
  }

  /// Returns a text broken into lines that fit, those after the first one indented.
  package func hanging(_ text: String, indent: Int = 2) -> [String] {
    let gap = String(repeating: " ", count: indent)
    let lines = wrapped(text, indent: indent)
    return [lines[0]] + lines.dropFirst().map { gap + $0 }
  }

  /// Returns `function at Shop.swift:12`, or, where that does not fit, the place first: a line is cut
  /// at its end, and never its place.
  func codeLine(_ function: String, at place: String, indent: String) -> String {
    let line = "\(indent)\(function) at \(place)"
    guard let width, DisplayWidth.of(line) > width else { return line }
    return fitted("\(indent)\(place)  \(function)")
  }

  /// Returns a line that fits because the name within it is shortened in its middle, and is cut if it
  /// still does not.
  func fitting(_ name: String, _ line: (String) -> String) -> String {
    let whole = line(name)
    guard let width, DisplayWidth.of(whole) > width else { return whole }
    let room = DisplayWidth.of(name) - (DisplayWidth.of(whole) - width)
    return fitted(line(middleShort(name, to: max(room, 12))))
  }

  /// Returns a text behind a head: on the same line if it fits, else broken into indented lines
  /// below it.
  func below(_ head: String, _ text: String, indent: Int) -> [String] {
    guard let width, DisplayWidth.of(head + "  " + text) > width else {
      return [head + "  " + text]
    }
    let gap = String(repeating: " ", count: indent)
    // What fills the head up to a column beside it is of no use.
    let end = head.lastIndex { $0 != " " }.map(head.index(after:)) ?? head.startIndex
    return [String(head[..<end])] + wrapped(text, indent: indent).map { gap + $0 }
  }

  /// Returns the style for lines that are indented.
  func indented(by columns: Int) -> OutputStyle {
    var style = self
    style.width = width.map { max($0 - columns, 1) }
    return style
  }

  /// The same style without colors and of unlimited width, to measure lines.
  var unlimited: OutputStyle { OutputStyle(colours: false, ascii: ascii, width: nil) }

  /// Returns whether lines without colors fit.
  func fits(_ lines: [String]) -> Bool {
    width.map { width in lines.allSatisfy { DisplayWidth.of($0) <= width } } ?? true
  }
}
