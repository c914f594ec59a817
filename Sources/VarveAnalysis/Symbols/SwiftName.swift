internal import VarvePlatform
internal import VarveProbe

/// The standard library's own demangler.
@_silgen_name("swift_demangle")
private func demangle(
  _ mangled: UnsafePointer<CChar>?, _ length: UInt, _ output: UnsafeMutablePointer<CChar>?,
  _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// Readable names of Swift functions.
enum SwiftName {
  /// Returns `Search.run(_:)` for `$s4Shop6SearchC3runyySiF`, and other names unchanged.
  static func readable(_ name: String) -> String {
    // The program's asynchronous top-level code is not mangled, but its parts are numbered.
    if name.hasPrefix("async_MainT") { return "async_Main" }
    return demangled(name).map(short) ?? name
  }

  /// Returns whether a function, by its mangled name, returns a producer. What a closure returns goes
  /// to the operator that calls it.
  static func returnsProducer(_ name: String) -> Bool {
    // The mangled name contains the name of each type.
    guard name.contains("SignalProducer"), let full = demangled(name),
      !full.contains("closure #")
    else { return false }
    return results.contains { full.contains($0) }
  }

  private static let results = [
    "-> VarveReactive.SignalProducer<", "getter : VarveReactive.SignalProducer<",
  ]

  private static func demangled(_ name: String) -> String? {
    guard let text = demangle(name, UInt(name.utf8.count), nil, nil, 0) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// Returns the demangler's text without types, module, and compiler-generated wrappers.
  static func short(_ full: String) -> String {
    var name = withoutPart(full)
    // Wrappers may be nested in any order.
    while let wrapping = wrappings.first(where: { name.hasPrefix($0.start) }) {
      guard let end = wrapping.end else {
        name = String(name.dropFirst(wrapping.start.count))
        continue
      }
      guard let range = range(of: end, in: name) else { break }
      name = String(name[range.upperBound...])
    }
    return parts(name).map(part).joined(separator: " in ")
  }

  /// Returns the function of which the compiler made a part that runs from one `await` to the next:
  /// `(2) suspend resume partial function for Shop.Search.run()`.
  private static func withoutPart(_ name: String) -> String {
    guard name.hasPrefix("(") else { return name }
    let digits = name.dropFirst().prefix { $0.isNumber }
    let rest = name.dropFirst(1 + digits.count)
    guard !digits.isEmpty else { return name }
    for word in [") await", ") suspend"] {
      let start = "\(word) resume partial function for "
      if rest.hasPrefix(start) { return String(rest.dropFirst(start.count)) }
    }
    return name
  }

  private static let wrappings: [(start: String, end: String?)] = [
    ("merged ", nil), ("generic specialization <", "> of "),
    ("generic partial specialization <", "> of "),
    ("generic not re-abstracted specialization <", "> of "),
    ("function signature specialization <", "> of "), ("specialized ", nil),
    ("partial apply forwarder for ", nil), ("partial apply for ", nil),
  ]

  /// `closure #1 (Int) -> () in Shop.Search.run()` is two parts.
  private static func parts(_ name: String) -> [String] {
    var parts: [String] = []
    var rest = name
    while let range = range(of: " in ", in: rest) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = String(rest[range.upperBound...])
    }
    return parts + [rest]
  }

  /// Returns a name without its types.
  private static func part(_ name: String) -> String {
    for word in ["closure #", "implicit closure #", "defer #"] where name.hasPrefix(word) {
      let number = name.dropFirst(word.count).prefix { $0.isNumber }
      return word + number
    }
    let bare = withoutModule(withoutDiscriminator(name))
    guard let open = parameters(of: bare) else {
      return range(of: " : ", in: bare).map { String(bare[..<$0.lowerBound]) } ?? bare
    }
    let base = withoutGenerics(String(bare[..<open.lowerBound]))
    return "\(base)(\(labels(String(bare[open].dropFirst().dropLast()))))"
  }

  /// `(run in _0123…)` stands for a private `run`.
  private static func withoutDiscriminator(_ name: String) -> String {
    var name = name
    while let mark = name.range(of: " in _"),
      let open = name[..<mark.lowerBound].lastIndex(of: "("),
      let close = name[mark.upperBound...].firstIndex(of: ")")
    {
      let inner = name[name.index(after: open)..<mark.lowerBound]
      name = String(name[..<open] + inner + name[name.index(after: close)...])
    }
    return name
  }

  /// Functions of this library keep their module, by which they are recognized.
  private static func withoutModule(_ name: String) -> String {
    var prefix = ""
    var name = name
    for word in ["static ", "async "] where name.hasPrefix(word) {
      prefix += word == "static " ? word : ""
      name = String(name.dropFirst(word.count))
    }
    // An extension belongs to the module that declares it, whatever it extends.
    let owner = FunctionModule.name(of: name)
    if name.hasPrefix("(extension in "), let end = name.range(of: "):") {
      name = String(name[end.upperBound...])
    }
    let module = name.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard name.dropFirst(module.count).hasPrefix(".") else { return prefix + name }
    let bare = name.dropFirst(module.count + 1)
    guard let owner, FunctionKind.isOfLibrary("\(owner).\(bare)") else { return prefix + bare }
    return "\(prefix)\(owner).\(bare)"
  }

  private static func withoutGenerics(_ name: String) -> String {
    var depth = 0
    return name.filter { character in
      if character == "<" { depth += 1 }
      defer { if character == ">", depth > 0 { depth -= 1 } }
      return depth == 0
    }
  }

  /// Returns the range of the parameters, including the parentheses.
  private static func parameters(of name: String) -> Range<String.Index>? {
    var depth = 0
    var start: String.Index?
    for index in name.indices {
      switch name[index] {
      case "(", "<", "[":
        if name[index] == "(", depth == 0, start == nil { start = index }
        depth += 1
      case ">" where index > name.startIndex && name[name.index(before: index)] == "-": break
      case ")", ">", "]":
        depth -= 1
        if depth == 0, name[index] == ")", let start { return start..<name.index(after: index) }
      default: break
      }
    }
    return nil
  }

  /// `on: Int, String` is `on:_:`.
  private static func labels(_ parameters: String) -> String {
    guard !parameters.isEmpty else { return "" }
    var labels = ""
    var rest = parameters
    while true {
      let end = range(of: ", ", in: rest)
      let parameter = end.map { String(rest[..<$0.lowerBound]) } ?? rest
      let label = range(of: ": ", in: parameter).map { String(parameter[..<$0.lowerBound]) } ?? "_"
      labels += label + ":"
      guard let end else { return labels }
      rest = String(rest[end.upperBound...])
    }
  }

  /// Returns the first occurrence of a text outside all brackets.
  private static func range(of text: String, in name: String) -> Range<String.Index>? {
    var depth = text.hasPrefix(">") ? -1 : 0
    for index in name.indices {
      let rest = name[index...]
      if depth == 0, rest.hasPrefix(text) {
        return index..<name.index(index, offsetBy: text.count)
      }
      switch name[index] {
      case "(", "<", "[": depth += 1
      case ">" where index > name.startIndex && name[name.index(before: index)] == "-": break
      case ")", ">", "]": depth -= 1
      default: break
      }
    }
    return nil
  }
}

extension StringProtocol {
  /// Returns the first occurrence of a text.
  fileprivate func range(of text: String) -> Range<Index>? {
    for index in indices where self[index...].hasPrefix(text) {
      return index..<self.index(index, offsetBy: text.count)
    }
    return nil
  }
}
