/// Objects, one a line, in the other forms of lists: an array, or a table with a column for each key.
///
/// The objects are those that this module writes, so no error in them is looked for.
package struct ObjectTable {
  private var lines: [Substring] = []

  /// Takes lines of JSON objects.
  package init(_ ndjson: String) {
    lines = ndjson.split(separator: "\n")
  }

  /// The objects as one array.
  package var array: String {
    lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n"
  }

  /// The objects as a table: a column for each key that occurs, in the order in which they do, and
  /// lists and objects as JSON. `notes` says what was changed for the sake of spreadsheets.
  package func csv() -> (text: String, notes: [String]) {
    let rows = lines.map(Self.members)
    var keys: [String] = []
    var known: Set<String> = []
    for row in rows { for (key, _) in row where known.insert(key).inserted { keys.append(key) } }
    var changed: UInt64 = 0
    var text = keys.joined(separator: ",") + "\r\n"
    for row in rows {
      let values = Dictionary(row) { first, _ in first }
      text += keys.map { Self.cell(values[$0] ?? "null", &changed) }.joined(separator: ",") + "\r\n"
    }
    return (keys.isEmpty ? "" : text, CSVText.notes(changed))
  }

  private static func cell(_ json: String, _ changed: inout UInt64) -> String {
    guard json.hasPrefix("\"") else {
      let isPart = json.hasPrefix("{") || json.hasPrefix("[")
      return json == "null" ? "" : isPart ? CSVText.quoted(json) : json
    }
    let text = unquoted(json)
    let harmless = CSVText.harmless(text)
    if harmless != text { changed += 1 }
    return CSVText.quoted(harmless)
  }

  /// Returns the keys and the JSON of the values of an object.
  private static func members(_ object: Substring) -> [(String, String)] {
    var members: [(String, String)] = []
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    var start = object.startIndex
    var key: String?
    for index in object.indices {
      let character = object[index]
      if isQuoted {
        isQuoted = isEscaped || character != "\""
        isEscaped = !isEscaped && character == "\\"
        continue
      }
      switch character {
      case "\"": isQuoted = true
      case "{", "[":
        depth += 1
        if depth == 1 { start = object.index(after: index) }
      case ":" where depth == 1 && key == nil:
        key = unquoted(String(object[start..<index]))
        start = object.index(after: index)
      case ",", "}", "]":
        if depth == 1, let name = key {
          members.append((name, String(object[start..<index])))
          start = object.index(after: index)
          key = nil
        }
        if character != "," { depth -= 1 }
      default: break
      }
    }
    return members
  }

  /// Returns the text of a JSON string.
  private static func unquoted(_ json: String) -> String {
    var units: [UInt16] = []
    var rest = json.dropFirst().dropLast().utf16.makeIterator()
    while let unit = rest.next() {
      guard unit == 0x5c, let sign = rest.next() else {
        units.append(unit)
        continue
      }
      switch Unicode.Scalar(sign) {
      case "n": units.append(0x0a)
      case "r": units.append(0x0d)
      case "t": units.append(0x09)
      case "b": units.append(0x08)
      case "f": units.append(0x0c)
      case "u":
        let digits = (0..<4).compactMap { _ in rest.next().flatMap { Unicode.Scalar($0) } }
        units.append(UInt16(String(String.UnicodeScalarView(digits)), radix: 16) ?? 0xfffd)
      default: units.append(sign)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
