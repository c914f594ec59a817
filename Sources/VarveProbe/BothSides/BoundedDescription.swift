/// What a value looks like, in at most so many bytes: as `String(describing:)` has it, but without
/// looking at more of a large value than fits, and with the values inside that have a form of their
/// own for traces in that form. What is private stays so wherever it lies.
package struct BoundedDescription {
  package private(set) var text = ""
  private let most: Int

  /// Describes a value.
  package init(of value: Any, most: Int) {
    self.most = most
    append(value, depth: 0)
  }

  private static let deepest = 8

  private var isFull: Bool { text.utf8.count > most }

  private mutating func append(_ value: Any, depth: Int) {
    guard !isFull else { return }
    if let traced = value as? any TraceValue {
      append(traced.tracePayload)
    } else if depth > Self.deepest {
      text += "…"
    } else if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable {
      append(hashable, depth)
    } else if let contained = value as? any Contained {
      append(parts: contained.parts, of: value, depth)
    } else if let container = container(value) {
      append(parts: container, of: value, depth)
    } else if depth > 0, let speaking = value as? any CustomDebugStringConvertible {
      text += speaking.debugDescription
    } else if let speaking = value as? any CustomStringConvertible {
      text += depth > 0 && value is String ? String(reflecting: value) : speaking.description
    } else if let speaking = value as? any CustomDebugStringConvertible {
      text += speaking.debugDescription
    } else {
      append(parts: Mirror(reflecting: value), of: value, depth)
    }
  }

  /// What a container of anybody's holds: left to itself it would tell what is private, too.
  private func container(_ value: Any) -> Mirror? {
    guard value is any Sequence else { return nil }
    let mirror = Mirror(reflecting: value)
    return switch mirror.displayStyle {
    case .collection, .set, .dictionary: mirror
    default: nil
    }
  }

  private mutating func append(parts mirror: Mirror, of value: Any, _ depth: Int) {
    switch mirror.displayStyle {
    case .collection, .set: append(mirror.children, "[", "]", depth) { $0.append($1.value, $2) }
    case .dictionary where mirror.children.isEmpty: text += "[:]"
    case .dictionary:
      append(mirror.children, "[", "]", depth) { description, entry, depth in
        description.append(entry: Mirror(reflecting: entry.value).children.map(\.value), depth)
      }
    case .tuple: append(mirror.children, "(", ")", depth) { $0.append(labelled: $1, $2) }
    case .struct:
      append(mirror.children, "\(name(of: value, depth))(", ")", depth) {
        $0.append(labelled: $1, $2)
      }
    case .optional, .enum: append(case: mirror, of: value, depth)
    // A reference says what it is, not what it holds.
    default: text += name(of: value, depth)
    }
  }

  private mutating func append(case mirror: Mirror, of value: Any, _ depth: Int) {
    guard let payload = mirror.children.first else {
      text += mirror.displayStyle == .optional ? "nil" : String(describing: value)
      return
    }
    let label = payload.label ?? ""
    text +=
      mirror.displayStyle == .optional
      ? "Optional"
      : depth > 0
        ? "\(name(of: value, depth)).\(label)" : label
    if Mirror(reflecting: payload.value).displayStyle == .tuple, !(payload.value is any TraceValue)
    {
      append(payload.value, depth: depth + 1)
    } else {
      text += "("
      append(payload.value, depth: depth + 1)
      text += ")"
    }
  }

  private mutating func append(
    _ children: Mirror.Children, _ opening: String, _ closing: String, _ depth: Int,
    _ appendChild: (inout Self, Mirror.Child, Int) -> Void
  ) {
    text += opening
    var isFirst = true
    for child in children {
      if !isFirst { text += ", " }
      isFirst = false
      appendChild(&self, child, depth + 1)
      if isFull { return }
    }
    text += closing
  }

  private mutating func append(_ value: Any, _ depth: Int) { append(value, depth: depth) }

  private mutating func append(_ value: AnyHashable, _ depth: Int) {
    if depth > 0 { text += "AnyHashable(" }
    append(value.base, depth: depth)
    if depth > 0 { text += ")" }
  }

  private mutating func append(labelled child: Mirror.Child, _ depth: Int) {
    if let label = child.label, !label.hasPrefix(".") { text += "\(label): " }
    append(child.value, depth: depth)
  }

  private mutating func append(entry parts: [Any], _ depth: Int) {
    guard parts.count == 2 else { return }
    append(parts[0], depth: depth)
    text += ": "
    append(parts[1], depth: depth)
  }

  private func name(of value: Any, _ depth: Int) -> String {
    depth > 0 ? TypeNames.qualified(type(of: value)) : TypeNames.short(type(of: value))
  }

  private mutating func append(_ payload: TracePayload) {
    switch payload {
    case .unit: text += "()"
    case .null: text += "nil"
    case .withheld: text += "private"
    case .integer(let number): text += String(number)
    case .unsigned(let number): text += String(number)
    case .real(let number): text += String(number)
    case .boolean(let flag): text += String(flag)
    case .string(let string): text += String(reflecting: string)
    case .bytes(let bytes): text += "\(bytes.count) bytes"
    }
  }
}

/// The library's containers, which describe what they hold by themselves, in whole.
private protocol Contained {
  /// What it holds.
  var parts: Mirror { get }
}

extension Contained {
  var parts: Mirror { Mirror(reflecting: self) }
}

extension Array: Contained {}
extension ArraySlice: Contained {}
extension ContiguousArray: Contained {}
extension Dictionary: Contained {}
extension Dictionary.Keys: Contained {
  fileprivate var parts: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
extension Dictionary.Values: Contained {
  fileprivate var parts: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
extension Set: Contained {}
extension Optional: Contained {}
extension KeyValuePairs: Contained {}
extension Range: Contained where Bound: TraceValue {}
extension ClosedRange: Contained where Bound: TraceValue {}
