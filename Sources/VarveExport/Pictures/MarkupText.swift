/// Text between the tags or in the attributes of a picture or page.
enum MarkupText {
  /// Returns the text with markup escaped, and without characters that XML does not allow.
  static func escaped(_ text: String) -> String {
    var safe = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": safe += "&amp;"
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "\"": safe += "&quot;"
      case "'": safe += "&#39;"
      case "\n": safe += "&#10;"
      case _ where scalar.value < 0x20 || scalar.value == 0xfffe || scalar.value == 0xffff:
        safe += "\u{fffd}"
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }
}
