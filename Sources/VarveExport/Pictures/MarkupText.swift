/// Text between the tags of a picture or a page, or in their attributes.
enum MarkupText {
  /// The text so that it means nothing to a browser, and has no characters that XML does not allow.
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
