/// The module that a function belongs to, according to its demangled name.
///
/// Parameters, results, and generic arguments also name modules, and a function in an extension
/// names the extended type: none of these says which module the code is in.
package enum FunctionModule {
  /// Returns the module's name, or nil if none is named: `Shop` for
  /// `closure #1 (VarveReactive.Signal) -> () in (extension in Shop):VarveReactive.Signal.f()
  /// -> ()`.
  package static func name(of function: String) -> String? {
    var context = unwrapped(Substring(function))
    // Closures are nested in functions, which may be nested in others.
    while let inner = range(of: " in ", in: context) {
      context = unwrapped(context[inner.upperBound...])
    }
    let mark = "(extension in "
    if context.hasPrefix(mark) {
      return String(context.dropFirst(mark.count).prefix { $0 != ")" })
    }
    let module = context.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return !module.isEmpty && context.dropFirst(module.count).first == "." ? String(module) : nil
  }

  /// Prefixes that the compiler puts before a function's name.
  private static let wrappings: [(start: String, end: String?)] = [
    ("generic specialization <", "> of "), ("generic partial specialization <", "> of "),
    ("generic not re-abstracted specialization <", "> of "),
    ("function signature specialization <", "> of "), ("specialized ", nil), ("merged ", nil),
    ("partial apply forwarder for ", nil), ("partial apply for ", nil), ("static ", nil),
    ("async ", nil), ("dispatch thunk of ", nil), ("@objc ", nil),
  ]

  private static func unwrapped(_ function: Substring) -> Substring {
    var name = function
    while let wrapping = wrappings.first(where: { name.hasPrefix($0.start) }) {
      let rest = name.dropFirst(wrapping.start.count)
      guard let end = wrapping.end else {
        name = rest
        continue
      }
      // The prefix has opened this bracket.
      guard let found = range(of: end, in: rest) else { return rest }
      name = rest[found.upperBound...]
    }
    return name
  }

  /// Returns the first occurrence of a text outside all brackets, other than brackets that it
  /// closes itself.
  private static func range(of text: String, in name: Substring) -> Range<Substring.Index>? {
    var depth = 0
    var last: Character?
    for index in name.indices {
      if depth == 0, name[index...].hasPrefix(text) {
        return index..<name.index(index, offsetBy: text.count)
      }
      switch name[index] {
      case "(", "<", "[": depth += 1
      case ">" where last == "-": break
      case ")", ">", "]": depth -= 1
      default: break
      }
      last = name[index]
    }
    return nil
  }
}
