internal import VarveAnalysis
internal import VarveExport
internal import VarvePlatform

/// Defaults of options from the user's configuration file: a line for each, `time = wall`.
///
/// The file is `$VARVE_CONFIG`, or else `varve/config` in `$XDG_CONFIG_HOME` or `~/.config`. What the
/// command line says goes first, then the environment, then the file.
struct Configuration {
  /// An option that the file may set.
  struct Option: Sendable {
    let name: String
    /// What holds if nothing is set.
    let usual: String
    let meaning: String
    /// The values that it takes; empty if any text is one.
    var values: [String] = []
    /// The environment variables that go before the file.
    var variables: [String] = []
    /// Returns the value that a variable stands for.
    var value: @Sendable (_ variable: String, String) -> String = { $1 }
    /// Returns why a value cannot be taken.
    var refusal: @Sendable (String) -> String? = { _ in nil }
  }

  private struct Entry {
    let value: String
    let line: Int
  }

  /// The path of the file; nil if there is none.
  let path: String?
  private var entries: [String: Entry] = [:]

  private static let truth = ["yes", "no"]

  /// The options, in the order in which they are listed.
  static let options = [
    Option(
      name: "color", usual: "auto", meaning: "colours", values: ["auto", "always", "never"],
      variables: ["NO_COLOR", "FORCE_COLOR"],
      value: { $0 == "NO_COLOR" || $1 == "0" ? "never" : "always" }),
    Option(
      name: "ascii", usual: "by the locale", meaning: "only ASCII", values: truth),
    Option(name: "cut", usual: "yes", meaning: "cut lines at the terminal's edge", values: truth),
    Option(
      name: "pager", usual: "less -FIRSX",
      meaning: "the program for more than a screen; empty for none",
      variables: ["VARVE_PAGER", "PAGER"]),
    Option(name: "quiet", usual: "no", meaning: "no warnings", values: truth),
    Option(name: "ignore-case", usual: "no", meaning: "ignore case in names", values: truth),
    Option(
      name: "time", usual: "elapsed", meaning: "how replay shows times",
      values: TimeForm.allCases.map(\.rawValue)),
    Option(
      name: "fields", usual: "", meaning: "the columns of replay",
      refusal: { list in
        do throws(SelectionError) {
          _ = try EventFields(list: list)
          return nil
        } catch { return error.message }
      }),
    Option(
      name: "width", usual: "the terminal's", meaning: "the width of timelines",
      refusal: { text in
        Int(text).map { (40...10_000).contains($0) } == true ? nil : "it takes from 40 to 10000"
      }),
    Option(name: "all", usual: "no", meaning: "timelines of every stream", values: truth),
    Option(name: "fold", usual: "yes", meaning: "fold idle stretches of timelines", values: truth),
    Option(name: "symbols", usual: "", meaning: "a folder with debug information"),
  ]

  // Safety: the command has one thread.
  nonisolated(unsafe) private static var current = Configuration(path: nil)

  private init(path: String?) { self.path = path }

  /// Reads the file, if there is one.
  static func load() throws(CommandEnd) {
    guard let path = try place() else { return }
    current = try Configuration(path: path, text: try text(of: path))
  }

  /// The configuration that holds.
  static var loaded: Configuration { current }

  /// Returns what the file says about an option; nil if it says nothing.
  static subscript(name: String) -> String? { current.entries[name]?.value }

  /// Returns whether the file says yes; nil if it says nothing.
  static func truth(_ name: String) -> Bool? { self[name].map { $0 == "yes" } }

  /// Returns the value of an option and where it comes from.
  func setting(of option: Option) -> (value: String, origin: String) {
    for variable in option.variables {
      if let value = Environment[variable], variable.hasSuffix("PAGER") || !value.isEmpty {
        return (option.value(variable, value), "$\(variable)")
      }
    }
    guard let entry = entries[option.name], let path else { return (option.usual, "default") }
    return (entry.value, "\(path):\(entry.line)")
  }
}

// MARK: - The file

extension Configuration {
  private static func place() throws(CommandEnd) -> String? {
    if let named = Environment["VARVE_CONFIG"] {
      guard named.isEmpty || FileSystem.exists(named) else {
        throw CommandEnd(
          .wrongUsage, "\(named): there is no such file; VARVE_CONFIG= reads none")
      }
      return named.isEmpty ? nil : named
    }
    let folder =
      Environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
      ?? Environment["HOME"].map { "\($0)/.config" }
    let path = folder.map { "\($0)/varve/config" }
    return path.flatMap { FileSystem.exists($0) ? $0 : nil }
  }

  private static func text(of path: String) throws(CommandEnd) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandEnd(.wrongUsage, "\(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < 1 << 20 {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private init(path: String, text: String) throws(CommandEnd) {
    self.path = path
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = Self.trimmed(line)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      func refuse(_ reason: String) -> CommandEnd {
        CommandEnd(.wrongUsage, "\(path):\(index + 1): \(reason)")
      }
      guard let sign = line.firstIndex(of: "=") else {
        throw refuse("\"\(line)\" sets nothing; write it as: color = never")
      }
      let name = Self.trimmed(line[..<sign])
      let value = Self.trimmed(line[line.index(after: sign)...])
      let names = Self.options.map(\.name)
      guard let option = Self.options.first(where: { $0.name == name }) else {
        let hint = Suggestion.text(name, among: names) ?? "varve config lists all"
        throw refuse("there is no option \"\(name)\"; \(hint)")
      }
      guard option.values.isEmpty || option.values.contains(value) else {
        let values = option.values.joined(separator: ", ")
        throw refuse("\"\(value)\" is not a value of \(name); it takes \(values)")
      }
      if let reason = option.refusal(value) { throw refuse("\(name): \(reason)") }
      entries[name] = Entry(value: value, line: index + 1)
    }
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    var end = String(start)
    while let last = end.last, last == " " || last == "\t" || last == "\r" { end.removeLast() }
    return end
  }
}
