/// The module that a function lies in, by what the demangler writes of it.
///
/// Parameters, results and generic arguments name modules, too, and an extension's function names the
/// type that is extended: none of them says whose code it is.
package enum FunctionModule {
  /// `Shop` of `closure #1 (VarveReactive.Signal) -> () in (extension in Shop):VarveReactive.Signal.f()
  /// -> ()`; nil when no module is named.
  package static func name(of function: String) -> String? {
    var context = unwrapped(Substring(function))
    // A closure lies in a function, that perhaps in another one.
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

  /// What the compiler made of a function: the function is named behind it.
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
      // The bracket that it begins with is open.
      guard let found = range(of: end, in: rest) else { return rest }
      name = rest[found.upperBound...]
    }
    return name
  }

  /// The first place of a text outside all brackets, but for those that it closes itself.
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
