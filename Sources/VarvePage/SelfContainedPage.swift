/// The page as one file that needs no server: all modules, the style sheet and the data inside.
///
/// Modules have no addresses in such a file. So each becomes a block that returns what it exports, in the
/// order in which they import one another; what they import are the names that earlier blocks returned.
package enum SelfContainedPage {
  /// The page around data.
  ///
  /// - Parameter json: what `EmbeddedSource` reads, as JSON. It is made safe to stand in a script here.
  package static func text(json: String) -> String {
    markup.before + escaped(json) + markup.after
  }

  /// What stands before the data and after it, for those who write the data piece by piece with `escaped`.
  package static let markup: (before: String, after: String) = {
    let style = PageFile.named("page.css")?.text ?? ""
    let before = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
      <meta name="viewport" content="width=device-width">
      <title>varve view</title>
      <style>
      \(style)</style>
      <body>
      <script type="application/json" id="varve-data">
      """
    let after = """

      </script>
      <script type="module">
      \(script)</script>
      </html>

      """
    return (before, after)
  }()

  /// All modules as one script.
  private static var script: String { PageFile.modules.map(block).joined() }

  /// A module as a block that returns what it exports. `Tools/embed-page` checks that imports and exports
  /// have the form that is read here.
  private static func block(_ module: PageFile) -> String {
    var exports: [Substring] = []
    let lines = module.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("import {") {
        let parts = line.split(separator: "\"")
        let names = parts[0].dropFirst("import ".count).prefix { $0 != "}" }
        return "const \(names)} = \(identifier(parts[1].dropFirst(2)));"
      }
      guard line.hasPrefix("export ") else { return String(line) }
      let declaration = line.dropFirst("export ".count)
      let keywords: Set<Substring> = ["async", "const", "let", "function", "function*", "class"]
      let words = declaration.split(separator: " ").drop { keywords.contains($0) }
      let name = words.first?.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      if let name { exports.append(name) }
      return String(declaration)
    }
    return """
      const \(identifier(module.name[...])) = (() => {
      \(lines.joined(separator: "\n"))
      return { \(exports.joined(separator: ", ")) };
      })();

      """
  }

  /// The name of a module in the script: `timeAxisScript` for `time-axis.js`.
  private static func identifier(_ name: Substring) -> String {
    let words = name.prefix { $0 != "." }.split { !$0.isLetter && !$0.isNumber }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return (words.first.map(String.init) ?? "") + rest.joined() + "Script"
  }

  /// JSON in which nothing ends the element or begins a comment: `<` only stands inside of strings there.
  package static func escaped(_ json: String) -> String {
    guard json.utf8.contains(UInt8(ascii: "<")) else { return json }
    var octets: [UInt8] = []
    octets.reserveCapacity(json.utf8.count + 64)
    for octet in json.utf8 {
      if octet == UInt8(ascii: "<") {
        octets.append(contentsOf: #"\u003c"#.utf8)
      } else {
        octets.append(octet)
      }
    }
    return String(decoding: octets, as: UTF8.self)
  }
}
